import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repository, run } from "../run.mjs";

/**
 * Writes the JSON Schemas of requests and responses from the types of the vendors' SDKs. Objects are closed, so that a
 * body with a key that its protocol does not know is told. `npm run schemas` installs what this needs and runs it.
 */
const modules = fileURLToPath(new URL("node_modules", import.meta.url));
const target = join(repository, "packages/core/test/schemas");

/** The beta types of Anthropic hold those that are generally available. */
const sources = [
  {
    protocol: "openai-chat",
    sdk: "openai",
    types: "resources/chat/completions/completions.d.ts",
    request: "ChatCompletionCreateParams",
    response: "ChatCompletion",
  },
  {
    protocol: "openai-responses",
    sdk: "openai",
    types: "resources/responses/responses.d.ts",
    request: "ResponseCreateParams",
    response: "Response",
  },
  {
    protocol: "anthropic-messages",
    sdk: "@anthropic-ai/sdk",
    types: "resources/beta/messages/messages.d.ts",
    request: "MessageCreateParams",
    response: "BetaMessage",
  },
  {
    protocol: "gemini-generate-content",
    sdk: "@google/genai",
    // Of the wire the SDK has no type of its own, only those of what stands in it.
    file: fileURLToPath(new URL("gemini.d.ts", import.meta.url)),
    request: "GenerateContentRequest",
    response: "GenerateContentBody",
  },
];

/**
 * @param {string} file
 * @returns {any}
 */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * @param {string} file
 * @param {string} type
 * @returns {{ $ref: string, definitions: Record<string, unknown> }}
 */
function generate(file, type) {
  const program = join(modules, "ts-json-schema-generator/bin/ts-json-schema-generator.js");
  const options = ["--path", file, "--type", type, "--jsDoc", "none", "--no-type-check"];
  return JSON.parse(run(process.execPath, [program, ...options]));
}

/**
 * One definition a line: small, and a new SDK shows as a difference that can be read.
 * @param {string} comment
 * @param {{ $ref: string, definitions: Record<string, unknown> }} schema
 */
function write(comment, schema) {
  const definitions = Object.keys(schema.definitions)
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(schema.definitions[name])}`);
  const head = { $schema: "http://json-schema.org/draft-07/schema#", $comment: comment, $ref: schema.$ref };
  return `${JSON.stringify(head).slice(0, -1)},\n"definitions": {\n${definitions.join(",\n")}\n}}\n`;
}

mkdirSync(target, { recursive: true });
for (const { protocol, sdk, types = "", file = join(modules, sdk, types), ...roots } of sources) {
  const { version } = readJson(join(modules, sdk, "package.json"));
  for (const [operation, type] of Object.entries(roots)) {
    const schema = generate(file, type);
    const name = `${protocol}.${operation}.generated.json`;
    writeFileSync(join(target, name), write(`Generated from ${type} of ${sdk} ${version} by npm run schemas.`, schema));
    console.log(`${name}: ${Object.keys(schema.definitions).length} definitions`);
  }
}
