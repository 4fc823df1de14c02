import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a service got it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

export type Answer = (request: Received, response: ServerResponse, number: number) => void;

export interface Service {
  readonly origin: string;
  readonly received: Received[];
}

/** A service on this machine that answers as stated; it ends with the test. */
export async function startService(answer: Answer): Promise<Service> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body: text === "" ? undefined : JSON.parse(text) });
      answer(received.at(-1) as Received, response, received.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Events of a stream, with a name where the first of a pair is one. */
export function events(response: ServerResponse, list: readonly (object | string)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const item of list) response.write(frame(item));
  response.end();
}

export function frame(item: object | string): string {
  if (typeof item === "string") return `data: ${item}\n\n`;
  const { type } = item as { type?: unknown };
  return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(item)}\n\n`;
}
