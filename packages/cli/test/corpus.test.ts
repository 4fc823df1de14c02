import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../test/corpus.ts";
import { atTerminal, temporaryFolder } from "./command.ts";

const { write, path } = temporaryFolder();
const ROWS = 24;

describeWithCorpus("requests that a coding agent sent", (folder) => {
  const file = (name: string): string => {
    const captured = JSON.parse(readFileSync(join(folder, "captures/claude-code", name), "utf8"));
    return write(name, captured.body);
  };
  const convert = (...args: string[]) => atTerminal(["convert", "--to", "openai-chat", ...args]);

  test.each(["2.json", "4.json"])("%s: the report fits on one screen", async (name) => {
    const { status, stderr } = await convert(file(name));
    const lines = stderr.trimEnd().split("\n");
    expect(lines.filter((line) => /^ {2}\w+ +[!·] /.test(line)).length).toBeLessThanOrEqual(8);
    expect(lines.length).toBeLessThan(ROWS);
    expect(lines.at(-1)).toMatch(/rolecall explain CODE$/);
    expect(status).toBe(0);
  });

  test("the next turn shows only what is new", async () => {
    const [first, next] = [file("3.json"), file("4.json")];
    const report = path("report.json");
    await convert("--report", report, first);
    for (const previous of [report, first]) {
      const { stdout } = await convert("--json", "--previous", previous, next);
      const answer = JSON.parse(stdout);
      const known = JSON.parse(readFileSync(report, "utf8")).losses.map(
        (loss: { code: string; path: string }) => loss.code + loss.path,
      );
      const news = answer.new.losses.map((loss: { code: string; path: string }) => loss.code + loss.path);
      expect(news.filter((place: string) => known.includes(place))).toEqual([]);
      expect(news.length + answer.new.repeated).toBe(answer.losses.length);
      expect(answer.new.repeated).toBeGreaterThan(0);
    }
    const { stderr } = await convert("--previous", next, next);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/no new losses · \d+ as before/);
  });
});
