// Reads what came on a connection of the gateway as HTTP/1.1 answers, and takes nothing that is not well-formed.

/** @typedef {{ status: number, headers: Record<string, string>, raw: string, body: Buffer, complete: boolean }} Answer */

const HEAD_END = "\r\n\r\n";

/** @param {string} head @returns {{ status: number, headers: Record<string, string> }} */
function readHead(head) {
  const [line = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e\x80-\xff]*$/.exec(line)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(line.slice(0, 80))}`);
  /** @type {Record<string, string>} */
  const headers = {};
  for (const text of lines) {
    const found = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(text);
    if (found === null) throw new Error(`no header: ${JSON.stringify(text.slice(0, 80))}`);
    const name = String(found[1]).toLowerCase();
    if (name in headers && name !== "set-cookie") throw new Error(`the header ${name} twice`);
    headers[name] = String(found[2]);
  }
  return { status, headers };
}

/**
 * A chunked body from a place on: undefined while it goes on.
 * @param {Buffer} bytes @param {number} start
 * @returns {{ body: Buffer, end: number, complete: boolean }}
 */
function readChunks(bytes, start) {
  const parts = [];
  let at = start;
  for (;;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return { body: Buffer.concat(parts), end: bytes.length, complete: false };
    const size = bytes.toString("latin1", at, line);
    if (!/^[0-9a-f]+$/i.test(size)) throw new Error(`no size of a chunk: ${JSON.stringify(size.slice(0, 40))}`);
    const length = Number.parseInt(size, 16);
    const end = line + 2 + length;
    if (bytes.length < end + 2) return { body: Buffer.concat(parts), end: bytes.length, complete: false };
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") throw new Error("a chunk does not end where it says");
    if (length === 0) return { body: Buffer.concat(parts), end: end + 2, complete: true };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

/**
 * The answers in what came on a connection, interim ones among them.
 * @param {Buffer} bytes
 * @param {readonly string[]} methods of the requests in their order
 * @param {boolean} closed
 * @returns {Answer[]}
 */
export function readAnswers(bytes, methods, closed) {
  /** @type {Answer[]} */
  const answers = [];
  let at = 0;
  let request = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(HEAD_END, at);
    if (end < 0) {
      if (closed)
        throw new Error(`the head of an answer is cut: ${JSON.stringify(bytes.toString("latin1", at, at + 80))}`);
      break;
    }
    const raw = bytes.toString("latin1", at, end);
    const { status, headers } = readHead(raw);
    const start = end + HEAD_END.length;
    if (status < 200) {
      answers.push({ status, headers, raw, body: Buffer.alloc(0), complete: true });
      at = start;
      continue;
    }
    const method = methods[request++] ?? "GET";
    const isChunked = headers["transfer-encoding"] === "chunked";
    const length = headers["content-length"];
    if (isChunked && length !== undefined) throw new Error("an answer has both a length and chunks");
    if (headers["transfer-encoding"] !== undefined && !isChunked) throw new Error("an answer has an odd coding");
    if (method === "HEAD" || status === 204 || status === 304) {
      answers.push({ status, headers, raw, body: Buffer.alloc(0), complete: true });
      at = start;
    } else if (isChunked) {
      const read = readChunks(bytes, start);
      answers.push({ status, headers, raw, body: read.body, complete: read.complete });
      at = read.end;
    } else if (length !== undefined) {
      if (!/^\d+$/.test(length)) throw new Error(`no length: ${length}`);
      const last = start + Number(length);
      answers.push({ status, headers, raw, body: bytes.subarray(start, last), complete: last <= bytes.length });
      at = last;
    } else {
      answers.push({ status, headers, raw, body: bytes.subarray(start), complete: closed });
      at = bytes.length;
    }
  }
  return answers;
}
