import type { IncomingMessage } from "node:http";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the service on this machine received it. */
export interface Received {
  readonly path: string;
  readonly body: string;
}

/** The service that all peers ask: it answers what it was told to, and keeps the last request. */
export interface Loopback {
  readonly url: string;
  answer(body: string, type: "application/json" | "text/event-stream"): void;
  /** The last request since this was called before. */
  take(): Received | undefined;
  stop(): void;
}

export async function startLoopback(): Promise<Loopback> {
  let last: Received | undefined;
  let answer = { body: "{}", type: "application/json" };
  const server = http.createServer(async (request, response) => {
    last = { path: request.url ?? "", body: await textOf(request) };
    response.writeHead(200, { "content-type": answer.type });
    response.end(answer.body);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    answer(body, type) {
      answer = { body, type };
    },
    take() {
      const taken = last;
      last = undefined;
      return taken;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const agent = new http.Agent({ keepAlive: true });

/** Posts a body and reads the whole answer. */
export async function post(
  url: string,
  body: string,
  headers: { readonly [name: string]: string } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = http.request(
      url,
      { method: "POST", agent, headers: { "content-type": "application/json", ...headers } },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body);
  });
  return { status: answer.statusCode ?? 0, text: await textOf(answer) };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
