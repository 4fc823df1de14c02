import { mkdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anthropicRequest, atTerminal, chatRequest, chatResponse, rolecall, temporaryFolder } from "../command.ts";

const { folder, path, write } = temporaryFolder();
mkdirSync(path("bodies/deep"), { recursive: true });
write("bodies/anthropic.json", anthropicRequest);
write("bodies/deep/recording.json", {
  protocol: "openai-chat",
  request: { path: "/v1/chat/completions", body: chatRequest },
  response: { status: 200, body: chatResponse },
});
write("bodies/broken.json", '{"a":');
write("bodies/other.json", { hello: "world" });
write("bodies/stream.json", { request: { body: null }, response: { body: null }, stream: "data: {}" });
write("bodies/notes.txt", "no JSON");
const bodies = path("bodies");

/** A body with a finding that no version of the converter will mend: unknown keys twice removed are still found. */
const audit = (...args: string[]) => rolecall(["audit", ...args]);

describe("rolecall audit", () => {
  test("measures every pair, and names what it cannot read", () => {
    const { stdout } = audit(bodies);
    expect(stdout).toMatch(/^request anthropic-messages → openai-chat {3}1 body · [\d,]+ leaves · [\d,]+ probes {3}/m);
    expect(stdout).toMatch(/^request openai-chat → anthropic-messages {3}1 body/m);
    expect(stdout).toMatch(/^response openai-chat → anthropic-messages {3}1 body/m);
    expect(stdout).toMatch(/^response openai-chat → openai-chat {3}1 body/m);
    expect(stdout).toMatch(/^3 files without anything to audit$/m);
    expect(stdout).toMatch(/×1 {2}not valid JSON: .* line 1, column 6: .*broken\.json/);
    expect(stdout).toMatch(/of no protocol for certain; say which with --from: .*other\.json/);
    expect(stdout).toMatch(/no body as JSON in it: .*stream\.json/);
    expect(stdout).not.toContain("notes.txt");
  });

  test("has no finding on a request of an agent", () => {
    const { status, stdout } = audit("--from", "anthropic-messages", path("bodies/anthropic.json"));
    expect(stdout.match(/no findings/g)).toHaveLength(4);
    expect(status).toBe(0);
  });

  test("keeps to what is asked for", () => {
    const { stdout } = audit("--kind", "request", "--to", "openai-chat", bodies);
    expect(stdout.match(/^(request|response) .*$/gm)?.map((line) => line.replace(/ {3}.*/, ""))).toEqual([
      "request anthropic-messages → openai-chat",
      "request openai-chat → openai-chat",
    ]);
  });

  test("--leaves and --seed bound and choose", () => {
    const run = (...args: string[]) =>
      JSON.parse(audit("--json", "--to", "openai-chat", ...args, path("bodies/anthropic.json")).stdout);
    expect(run("--leaves", "5").pairs[0].leaves).toBe(5);
    expect(run("--leaves", "5", "--seed", "2")).toEqual(run("--leaves", "5", "--seed", "2"));
  });

  test("--json gives pairs, findings and unread files", () => {
    const { stdout } = audit("--json", bodies);
    const { pairs, unread, vanished } = JSON.parse(stdout);
    expect(pairs[0]).toMatchObject({ operation: "request", from: "anthropic-messages", bodies: 1, refused: 0 });
    expect(unread.map(({ file }: { file: string }) => file.slice(folder.length + 1)).sort()).toEqual([
      "bodies/broken.json",
      "bodies/other.json",
      "bodies/stream.json",
    ]);
    expect(vanished).toEqual([]);
  });

  test("--target is what the receiver takes", () => {
    const run = (...args: string[]) => JSON.parse(audit("--json", "--to", "openai-chat", ...args, bodies).stdout).pairs;
    const mistral = run("--target", '{"provider":"mistral"}');
    expect(mistral.flatMap(({ findings }: { findings: unknown[] }) => findings)).toEqual([]);
    // Within one protocol a body may lose something toward a stated server, so that each leaf is judged.
    expect(mistral.map(({ probes }: { probes: number }) => probes)).not.toEqual(
      run().map(({ probes }: { probes: number }) => probes),
    );
  });

  test.each([
    [["--target", "{}", bodies], "--target is a profile of one protocol: state --to"],
    [["--to", "openai-chat", "--target", '{"provder":"mistral"}', bodies], 'did you mean "provider"?'],
    [["missing.json"], "cannot read missing.json: there is no such file"],
    [[path("bodies/other.json")], "nothing to audit: no file holds a body"],
    [["--from", "openai-chat", path("bodies/deep")], undefined],
    [["--baseline", "a", "--write-baseline", "b", bodies], "--baseline and --write-baseline exclude each other"],
    [["--baseline", path("bodies/other.json"), bodies], "not a baseline: write one with --write-baseline"],
  ])("%j", (args, line) => {
    const { status, stderr } = audit(...args);
    if (line === undefined) expect(status).toBeLessThan(2);
    else {
      expect(stderr).toContain(line);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(status).toBe(2);
    }
  });

  test("nothing measured is no success", () => {
    const file = write("refused.json", { system: "x", messages: [{ role: "user", content: 5 }] });
    const { status, stdout, stderr } = audit(file);
    expect(stdout).toContain("nothing measured");
    expect(stderr).toContain("nothing was measured: every body was refused");
    expect(status).toBe(2);
  });
});

describe("a baseline", () => {
  // Whatever the converter still loses of it, the baseline is made for.
  const finding = {
    operation: "request",
    from: "anthropic-messages",
    to: "openai-chat",
    problem: "silent change",
    place: "/no/such/place",
  };

  test("is written, compared, and tells what vanished", () => {
    const file = path("baseline.json");
    expect(audit("--write-baseline", file, bodies).status).toBe(0);
    const written = JSON.parse(readFileSync(file, "utf8"));
    expect(written.version).toBe(1);
    expect(audit("--baseline", file, bodies).status).toBe(0);
    const older = write("older.json", { version: 1, findings: [...written.findings, finding] });
    const { status, stdout } = audit("--baseline", older, bodies);
    expect(stdout).toContain("1 known finding not found any more");
    expect(stdout).toContain("silent change  /no/such/place  request anthropic-messages → openai-chat");
    expect(status).toBe(0);
  });

  test("of pairs that were not audited is left alone", () => {
    const file = write("foreign.json", { version: 1, findings: [{ ...finding, to: "openai-responses" }] });
    expect(audit("--baseline", file, "--to", "openai-chat", bodies).stdout).not.toContain("not found any more");
  });

  test("with a wrong entry is refused", () => {
    const file = write("wrong.json", { version: 1, findings: [finding, { ...finding, place: 5 }] });
    const { status, stderr } = audit("--baseline", file, bodies);
    expect(stderr).toContain('a known finding has the text "place" (at /findings/1)');
    expect(status).toBe(2);
  });
});

test("progress is shown at a terminal and wiped away", async () => {
  const { stderr, stdout } = await atTerminal(["audit", bodies], { columns: 60 });
  expect(stdout).toContain("request anthropic-messages → openai-chat");
  if (stderr !== "") expect(stderr.endsWith("\r\u001b[K")).toBe(true);
});
