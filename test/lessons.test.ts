import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContextInput, JsonObject } from "@rolecall/core";
import { detectProtocol, isJsonObject, loadProtocol, normalizeContext, protocolIds } from "@rolecall/core";
import { afterAll, expect, test } from "vitest";
import { describeWithCorpus } from "./corpus.ts";

const packages = fileURLToPath(new URL("../packages", import.meta.url));

/** The JSON values that stand in a text by themselves, from the start of a line on. */
function valuesIn(text: string): JsonObject[] {
  const lines = text.split("\n");
  return lines.flatMap((line, start) => {
    if (!/^[[{]$/.test(line)) return [];
    for (let end = start + 1; end < lines.length; end++)
      if (/^[\]}]$/.test(lines[end] as string))
        try {
          return [JSON.parse(lines.slice(start, end + 1).join("\n")) as JsonObject];
        } catch {
          // A value in the notation of a program, or one that goes on.
        }
    return [];
  });
}

/** The part of a text that makes a model to ask, as a program. */
function programsIn(text: string): string[] {
  const start = text.indexOf("import { ");
  const end = text.indexOf('throw new Error("Model not found");');
  return start < 0 || end < 0 ? [] : [text.slice(start, text.indexOf("\n", end))];
}

describeWithCorpus("the samples of the lessons", (corpus) => {
  const lessons = readdirSync(join(corpus, "seeds")).map((name) => readFileSync(join(corpus, "seeds", name), "utf8"));
  const programs = lessons.flatMap(programsIn);
  const values = lessons.flatMap(valuesIn);
  const requests = values.filter((value) => isJsonObject(value) && ("messages" in value || "contents" in value));
  const folder = mkdtempSync(join(tmpdir(), "rolecall-lessons-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("there are as many as were counted", () => {
    expect([programs.length, requests.length, values.length]).toEqual([1, 3, 7]);
  });

  test.each(programs)("a program runs with nothing but the name of its package changed", (program) => {
    mkdirSync(join(folder, "node_modules/@rolecall"), { recursive: true });
    symlinkSync(join(packages, "core"), join(folder, "node_modules/@rolecall/core"));
    const renamed = program.replaceAll(/"@[\w-]+\/pi-ai/g, '"@rolecall/core');
    expect(renamed).not.toBe(program);
    writeFileSync(join(folder, "program.mjs"), `${renamed}\nconsole.log(model.provider, model.id, model.api);\n`);
    expect(execFileSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" })).toBe(
      "anthropic claude-sonnet-4-6 anthropic-messages\n",
    );
  });

  test.each(requests.map((body) => [JSON.stringify(body).slice(0, 60), body] as const))(
    "a request is read: %s",
    async (_, body) => {
      const id = detectProtocol(body) ?? ("system" in body ? "anthropic-messages" : "openai-chat");
      const protocol = await loadProtocol(id);
      const { value } = protocol.decodeRequest({ body: { model: "m", max_tokens: 1, ...body } });
      expect(value.messages.map(({ role }) => role)).toEqual(["system", "user"]);
      expect(JSON.stringify(value.messages)).toContain("北京仓还有货吗？");
    },
  );

  test("a transcript goes to every service", async () => {
    const [list] = values.filter(Array.isArray) as unknown as readonly ContextInput["messages"][];
    const { messages } = normalizeContext({ messages: list ?? [] });
    for (const id of protocolIds) {
      const protocol = await loadProtocol(id);
      const body = JSON.stringify(protocol.encodeRequest({ messages, settings: { model: "m" } }, {}).value.body);
      for (const word of ["只读检查", "src/greet.ts", "export function greet", '"read"']) expect(body).toContain(word);
    }
  });
});
