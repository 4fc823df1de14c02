// A closed loop of requests over raw sockets, which takes less CPU time than what it measures.
import net from "node:net";

/**
 * `body` may be a list, of which each request takes the next one; `headers` are lines of the head, each with its end.
 * @typedef {{ path: string, body: Buffer | readonly Buffer[], count: number, connections: number, headers?: string }} Load
 */
/** @typedef {{ first: number[], whole: number[] }} Times milliseconds until the first byte of the body, and until the last */

/** How a body in chunks ends. */
const END = "0\r\n\r\n";

/** The median of some figures. @param {readonly number[]} list */
export const median = (list) => [...list].sort((left, right) => left - right)[list.length >> 1] ?? Number.NaN;

/**
 * Sends `count` requests over `connections` connections, one after the other on each. Throws for an answer that is not 200.
 * @param {number} port
 * @param {Load} load
 * @returns {Promise<Times>}
 */
export async function sendLoad(port, { path, body, count, connections, headers = "" }) {
  const messages = [body].flat().map((content) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers}content-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), content]);
  });
  const times = { first: /** @type {number[]} */ ([]), whole: /** @type {number[]} */ ([]) };
  let left = count;
  const connect = () =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
      let start = 0;
      let seen = "";
      let isBody = false;
      let isFirst = true;
      /** Bytes of the body that are still to come; -1 for one in chunks. */
      let missing = 0;
      const next = () => {
        const message = messages[(count - left) % messages.length] ?? "";
        if (left-- <= 0) {
          socket.destroy();
          resolve(undefined);
          return;
        }
        seen = "";
        isBody = false;
        isFirst = true;
        start = performance.now();
        socket.write(message);
      };
      /** @param {Buffer} chunk */
      const readHead = (chunk) => {
        seen += chunk.toString("latin1");
        const end = seen.indexOf("\r\n\r\n");
        if (end < 0) return 0;
        if (!seen.startsWith("HTTP/1.1 200")) reject(new Error(seen.slice(0, 500)));
        const length = /content-length: *(\d+)/i.exec(seen.slice(0, end));
        isBody = true;
        missing = length === null ? -1 : Number(length[1]);
        const size = seen.length - end - 4;
        seen = seen.slice(-Math.min(size, END.length));
        return size;
      };
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        const isInBody = isBody;
        const size = isInBody ? chunk.length : readHead(chunk);
        if (size === 0) return;
        if (isFirst) times.first.push(performance.now() - start);
        isFirst = false;
        if (isInBody) seen = (seen + chunk.toString("latin1", Math.max(0, size - END.length))).slice(-END.length);
        if (missing >= 0) missing -= size;
        if (missing === 0 || (missing < 0 && seen === END)) {
          times.whole.push(performance.now() - start);
          next();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, connect));
  return times;
}
