import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Profile, ProtocolId } from "@rolecall/core";
import { loadProtocol, protocolIds } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { describeWithCorpus } from "../../../../test/corpus.ts";
import { auditFiles } from "../../src/audit/audit-files.ts";
import { repository, rolecall, temporaryFolder } from "../command.ts";

const fixtures = join(repository, "fixtures/parallel");
const protocols: readonly ProtocolId[] = ["openai-chat", "anthropic-messages", "gemini-generate-content"];
const { write } = temporaryFolder();
const silence = { show: () => {}, end: () => {} };

/** The files below a folder whose names end so, as many as are asked for, spread over all of them. */
function filesIn(folder: string, ending: string, most = Number.POSITIVE_INFINITY): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .sort();
  const step = Math.max(1, all.length / most);
  return all
    .filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
    .map((name) => join(folder, name));
}

/** What is found on the way from one protocol to another, or to all; and how many bodies were measured. */
async function findingsOf(files: readonly string[], from: ProtocolId, to?: ProtocolId, target?: Profile) {
  const plan = { from, leaves: 60, seed: 1, ...(to !== undefined && { to }), ...(target !== undefined && { target }) };
  const { pairs } = await auditFiles(files, plan, silence);
  return {
    measured: pairs.map(({ bodies, refused }) => bodies - refused),
    findings: pairs.flatMap(({ findings }) =>
      findings.map(({ operation, to: target, problem, place, first }) =>
        [operation, "to", target, problem, place, first.file, first.pointer].join(" "),
      ),
    ),
  };
}

const ways = await Promise.all(
  protocols.map(async (to) => {
    const { profiles } = await loadProtocol(to);
    return Object.entries(profiles).map(([name, { provider, apiVersion }]) => ({ name, to, provider, apiVersion }));
  }),
);
/** Each target profile by its name, with what cannot be sent left out. */
const targets = ways.flat().map(({ name, to, provider, apiVersion }) => ({
  name,
  to,
  target: {
    fallbacks: { media: "drop", n: "first" },
    ...(provider !== undefined && { provider }),
    ...(apiVersion !== undefined && { apiVersion }),
  },
}));

describe.each(protocols)("bodies of %s that mean what others mean", (from) => {
  const files = ["request", "response"].flatMap((operation) => filesIn(fixtures, `${from}.${operation}.json`));

  test("give no findings on any way", async () => {
    const { measured, findings } = await findingsOf(files, from);
    expect(findings).toEqual([]);
    expect(measured).toHaveLength(2 * protocolIds.length);
    for (const bodies of measured) expect(bodies).toBeGreaterThan(10);
  });

  test.each(targets)("give none for $name", async ({ to, target }) => {
    const { measured, findings } = await findingsOf(files, from, to, target);
    expect(findings).toEqual([]);
    for (const bodies of measured) expect(bodies).toBeGreaterThan(10);
  });
});

const found = { type: "text", text: "found it" };
const searchResult = { type: "search_result", source: "https://a.example", title: "A", content: [found, found] };
const call = { type: "tool_use", id: "toolu_1", name: "search", input: {} };
const results = [{ type: "tool_result", tool_use_id: "toolu_1", content: [searchResult, found] }];
const user = (content: readonly object[]) => ({ role: "user", content });
const toolTurns = [user([found]), { role: "assistant", content: [call] }, user(results)];

test.each([
  ["beside nothing", [user([searchResult])]],
  ["beside a text", [user([found, searchResult])]],
  ["in the result of a tool", toolTurns],
])("the text of a search result %s is where it belongs", async (name, messages) => {
  const file = write(`${name.replaceAll(" ", "-")}.json`, { model: "m", max_tokens: 5, messages });
  const { measured, findings } = await findingsOf([file], "anthropic-messages");
  expect(findings).toEqual([]);
  expect(measured).toContain(1);
});

test("the command finds nothing in the folder, and names what is no body of a protocol", () => {
  const { status, stdout } = rolecall(["audit", "--leaves", "20", fixtures]);
  expect(stdout).not.toMatch(/\d findings?/);
  expect(stdout).toMatch(/×\d+ {2}a conversation that is decoded, no body of a protocol: .*ir\.request\.json/);
  expect(status).toBe(0);
});

describeWithCorpus("a sample of the recordings", (folder) => {
  test.each(protocols)("of %s gives no findings", { timeout: 120_000 }, async (from) => {
    const files = filesIn(join(folder, "recordings", from), ".json", 60);
    const { measured, findings } = await findingsOf(files, from);
    expect(findings).toEqual([]);
    expect(measured).toHaveLength(2 * protocolIds.length);
    for (const bodies of measured) expect(bodies).toBeGreaterThan(35);
  });
});
