// Starts two gateways and lets an Anthropic client ask: the first is the scripted model, the second puts that client in
// front of it as in front of any service of Chat Completions. Needs neither a key nor a network, and ends by itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Anthropic from "@anthropic-ai/sdk";
import { repository } from "./run.mjs";

const request = "fixtures/demo/claude-code-like.json";
const { runGateway } = await import(pathToFileURL(join(repository, "packages/gateway/dist/command/index.js")).href);
const controller = new AbortController();

/**
 * Runs `rolecall gateway` on a free port.
 * @param {readonly string[]} args
 * @param {(text: string) => void} write
 * @returns {Promise<{ url: string, ended: Promise<number> }>}
 */
function startGateway(args, write) {
  return new Promise((resolve, reject) => {
    const ended = runGateway(["--port", "0", ...args], {
      env: process.env,
      signal: controller.signal,
      write: (/** @type {string} */ text) => {
        write(text);
        const url = /listens on ([^,\s]+)/.exec(text)?.[1];
        if (url !== undefined) resolve({ url, ended });
      },
    });
    ended.catch(reject);
  });
}

const model = await startGateway([], () => {});
/** @type {string[]} */
const lines = [];
const gateway = await startGateway(["--to", `${model.url}/v1`], (text) => lines.push(text));
const [greeting = ""] = lines.splice(0);
console.log(
  `$ rolecall gateway --to ${model.url}/v1   # there a scripted model answers in Chat Completions\n${greeting}`,
);

const { stream: _stream, ...body } = JSON.parse(readFileSync(join(repository, request), "utf8"));
const client = new Anthropic({ baseURL: gateway.url, apiKey: "none", maxRetries: 0 });
console.log(`An Anthropic client asks for ${body.model}, with ${request}, and reads:`);
process.stdout.write("  ");
const answer = await client.messages
  .stream(body)
  .on("text", (text) => process.stdout.write(text))
  .finalMessage();
console.log(`\n  ${answer.usage.input_tokens} tokens in, ${answer.usage.output_tokens} out\n`);

controller.abort();
await Promise.all([gateway.ended, model.ended]);
process.stdout.write(lines.join(""));
