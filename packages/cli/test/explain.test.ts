import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Loss, ProtocolId } from "@rolecall/core";
import { convertRequest, convertResponse, lossCatalogue, nearest, protocolIds } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { matches, patternOf } from "../src/audit/pattern.ts";
import { placesOf } from "../src/explain/places.ts";
import { atTerminal, repository, rolecall } from "./command.ts";

describe("rolecall explain", () => {
  test("lists every code under its area", () => {
    const { status, stdout } = rolecall(["explain"]);
    for (const [code, { kind, effect }] of Object.entries(lossCatalogue)) {
      expect(stdout).toMatch(new RegExp(`^ {2}[!·] ${code.replace(".", "\\.")} +${kind} +${effect} `, "m"));
    }
    expect(stdout).toMatch(/^tool_result$/m);
    expect(status).toBe(0);
  });

  test("--json gives the definitions", () => {
    const all = JSON.parse(rolecall(["explain", "--json"]).stdout);
    expect(all.map((entry: { code: string }) => entry.code)).toEqual(Object.keys(lossCatalogue));
    const { status, stdout } = rolecall(["explain", "cache.mark", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      code: "cache.mark",
      area: "cache",
      ...lossCatalogue["cache.mark"],
      detail: "a cache mark that cannot stand here",
    });
    expect(JSON.parse(stdout).places["anthropic-messages"]).toContain("/system/*");
    expect(status).toBe(0);
  });

  test("says the usual words where a place may say others", () => {
    for (const args of [[], ["--json"], ["cache.mark"], ["instruction.moved"]])
      expect(rolecall(["explain", ...args]).stdout).not.toMatch(/\{\w+\|/);
    expect(rolecall(["explain", "cache.mark"]).stdout).toContain("cache.mark\n  a cache mark that cannot stand here\n");
  });

  test("explains one code: definition, reason, places", () => {
    const { status, stdout } = rolecall(["explain", "tool_result.error_flag"]);
    const { detail, effect, severity } = lossCatalogue["tool_result.error_flag"];
    expect(stdout).toContain(`tool_result.error_flag\n  ${detail}\n`);
    expect(stdout).toContain("The target cannot mark a result as failed.");
    expect(stdout).toContain("kind      approximated: something close to it arrives");
    expect(stdout).toContain(`effect    ${effect}`);
    expect(stdout).toContain(`severity  ${severity}`);
    expect(stdout).toMatch(/anthropic-messages {2}\/messages\/\*/);
    expect(status).toBe(0);
  });

  test.each([
    ["tool_result.eror_flag", "tool_result.error_flag"],
    ["cache.mrak", "cache.mark"],
    ["foreign", "reasoning.foreign"],
    ["tool_choice", "tool_choice.subset"],
    ["__proto__", '"rolecall explain" lists them'],
    ["zzzzzzzzzzzzzzzz", '"rolecall explain" lists them'],
    ["\u001b[31m", "\\u001b[31m"],
  ])("%j is no code: the nearest are suggested", (code, suggestion) => {
    const { status, stdout, stderr } = rolecall(["explain", code]);
    expect(stderr).toContain(suggestion);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  test("fits the terminal", async () => {
    for (const columns of [64, 80]) {
      const list = await atTerminal(["explain"], { columns });
      const one = await atTerminal(["explain", "reasoning.foreign"], { columns });
      for (const line of one.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
      if (columns === 80) for (const line of list.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});

describe("the places that are told", () => {
  const folder = join(repository, "fixtures/parallel");

  async function lossesOfFixtures(): Promise<Loss[]> {
    const losses: Loss[] = [];
    for (const name of readdirSync(folder)) {
      for (const file of readdirSync(join(folder, name))) {
        const [, from, operation] = /^(.+)\.(request|response)\.json$/.exec(file) ?? [];
        if (!protocolIds.includes(from as ProtocolId)) continue;
        const body = JSON.parse(readFileSync(join(folder, name, file), "utf8"));
        for (const to of protocolIds) {
          const pair = { from: from as ProtocolId, to };
          const convert = operation === "request" ? convertRequest(body, pair) : convertResponse(body, pair);
          losses.push(...(await convert.then((converted) => converted.losses).catch(() => [])));
        }
      }
    }
    return losses;
  }

  test("are those where losses of the fixtures stand", async () => {
    const losses = await lossesOfFixtures();
    expect(losses.length).toBeGreaterThan(50);
    const astray = losses.filter(({ code, from, path }) => {
      const places = new Map(placesOf(code)).get(from);
      if (path === "" || places === undefined) return false;
      const segments = path.slice(1).split("/");
      return !places.some((place) => matches([...patternOf(place), "**"], segments));
    });
    expect(astray.map(({ code, from, path }) => `${code} ${from} ${path}`)).toEqual([]);
  });
});

describe("nearest", () => {
  test.each([
    ["convrt", ["convert", "explain", "audit"], ["convert"]],
    ["acepct", ["accept", "report"], ["accept"]],
    ["x", ["convert"], []],
    ["", ["convert"], []],
  ])("%j", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toEqual(expected);
  });
});
