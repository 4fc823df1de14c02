import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/** A service that answers on its sockets, byte by byte as a test says. */
export interface RawService {
  readonly origin: string;
  /** Heads and bodies of all requests, in their order. */
  readonly received: string[];
}

/** `answer` gets the number of the request, from 0, and that of its connection. */
export async function startRaw(
  answer: (socket: Socket, request: number, connection: number) => void,
): Promise<RawService> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    let held = "";
    socket.on("data", (bytes) => {
      held += bytes.toString("latin1");
      const end = held.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0);
      if (end < 0 || held.length < end + 4 + length) return;
      received.push(held.slice(0, end + 4 + length));
      held = held.slice(end + 4 + length);
      answer(socket, received.length - 1, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`, received };
}

/** A whole answer of HTTP. */
export function answerOf(body: string, headers: readonly string[] = []): string {
  const lines = ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return `HTTP/1.1 200 OK\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Sends bytes to a gateway, and gives all that comes until its connection ends. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    socket.on("error", (error) => {
      text += error.message;
    });
    socket.on("close", () => resolve(text));
    socket.write(bytes);
    onTestFinished(() => void socket.destroy());
  });
}
