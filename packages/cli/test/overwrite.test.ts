import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anthropicRequest, rolecall, temporaryFolder } from "./command.ts";
import { shell } from "./shell.ts";

const { folder, path, write } = temporaryFolder();
const request = write("request.json", anthropicRequest);
const text = readFileSync(request, "utf8");
symlinkSync(request, path("symbolic.json"));
linkSync(request, path("hard.json"));
const accept = write("accept.json", []);
const toChat = ["convert", "--to", "openai-chat"];

describe("a file that is read is not written over", () => {
  test.each([
    [["--report", request, request], "request.json"],
    [["--report", path("symbolic.json"), request], "request.json"],
    [["--report", path("hard.json"), request], "request.json"],
    [["--report", `${folder}/../${folder.split("/").at(-1)}/request.json`, request], "request.json"],
    [["--kind", "stream", "--report", request, request], "request.json"],
    [["--accept", accept, "--report", accept, request], "accept.json"],
    [["--previous", request, "--report", request], "request.json"],
  ])("convert %j", (args, file) => {
    const { status, stdout, stderr } = rolecall([...toChat, ...args]);
    expect(stderr).toMatch(/^rolecall convert: --report .* would overwrite .*, which is read; name another file\n$/);
    expect(stderr).toContain(file);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(readFileSync(request, "utf8")).toBe(text);
  });

  test.skipIf(process.platform === "win32")("convert, from a redirected standard input", () => {
    const { status, stderr } = shell(`${toChat.join(" ")} --report '${request}' < '${request}'`);
    expect(stderr).toContain("would overwrite /dev/stdin");
    expect(status).toBe(2);
    expect(readFileSync(request, "utf8")).toBe(text);
  });

  test("audit, whether the file is named or found", () => {
    for (const operand of [request, folder]) {
      const { status, stderr } = rolecall(["audit", "--write-baseline", request, operand]);
      expect(stderr).toMatch(/^rolecall audit: --write-baseline .* would overwrite .*, which is read;/);
      expect(status).toBe(2);
    }
    expect(readFileSync(request, "utf8")).toBe(text);
  });
});

describe("what is written is written again", () => {
  test("a report", () => {
    const args = [...toChat, "--report", path("report.json"), request];
    expect([rolecall(args).status, rolecall(args).status]).toEqual([0, 0]);
  });

  test("a baseline that lies among the bodies", () => {
    const args = ["audit", "--write-baseline", path("baseline.json"), folder];
    expect([rolecall(args).status, rolecall(args).status]).toEqual([0, 0]);
  });
});
