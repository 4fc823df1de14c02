import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { main, ownEnvironment } from "../command.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
export type Body = any;

/** A server that answers as stated, with what it was asked. */
export async function serve(answer: (response: ServerResponse, body: Body, request: IncomingMessage) => void) {
  const asked: { readonly body: Body; readonly headers: IncomingMessage["headers"]; readonly url: string }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const body = text === "" ? undefined : JSON.parse(text);
      asked.push({ body, headers: request.headers, url: request.url ?? "" });
      answer(response, body, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Runs the built command beside a server of this process. */
export function spawned(args: readonly string[], env: Record<string, string> = {}, stdin = "") {
  const child = spawn(process.execPath, [main, ...args], { env: { ...ownEnvironment, ...env } });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  child.stdin.end(stdin);
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (status) => resolve({ status, ...texts })),
  );
  return { child, ended, texts };
}
