// The client of an exchange: sends what its trick says over a socket, and gathers what comes back.
import net from "node:net";
import { readAnswers } from "./answers.mjs";
import { clientTricks } from "./client-tricks.mjs";

/** @typedef {import("./exchange.mjs").Plan} Plan */
/** @typedef {{ bytes: Buffer, closed: boolean, hangs: boolean }} Outcome */

/** How long an answer may take: longer than the gateway waits for a service, twice. */
const PATIENCE = 15_000;
/** How long those wait for the end of the connection who cannot expect an answer, or no further one. */
const REST = 300;

/** @param {Plan} plan @param {number} port of the gateway @returns {Promise<Outcome>} */
export function runExchange(plan, port) {
  const trick = clientTricks[plan.clientTrick];
  if (trick === undefined) throw new Error(`no trick ${plan.clientTrick}`);
  const methods = trick.methods ?? ["POST"];
  const wanted = trick.most === undefined ? methods.length : 1;
  /** @type {Buffer[]} */
  const pieces = [];
  let received = 0;
  let closed = false;
  let sent = false;
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    const finish = (hangs = false) => {
      clearTimeout(late);
      socket.destroy();
      resolve({ bytes: Buffer.concat(pieces), closed, hangs });
    };
    const late = setTimeout(() => finish(true), PATIENCE);
    const look = () => {
      if (closed) finish();
      else if (sent && trick.gone !== true && isAnswered()) {
        // What is odd may get a second answer, or end its connection.
        if (trick.most === undefined) finish();
        else setTimeout(finish, REST);
      }
    };
    const isAnswered = () => {
      try {
        const answers = readAnswers(Buffer.concat(pieces), methods, false);
        const finals = answers.filter(({ status, complete }) => status >= 200 && complete);
        return finals.length >= wanted;
      } catch {
        return true;
      }
    };
    socket.on("data", (bytes) => {
      pieces.push(bytes);
      received += bytes.length;
      look();
    });
    const onClosed = () => {
      closed = true;
      if (sent) finish();
      else socket.destroy();
    };
    socket.on("end", onClosed);
    socket.on("error", onClosed);
    socket.on("close", onClosed);
    const connection = {
      write: (/** @type {string | Buffer} */ bytes) =>
        new Promise((/** @type {(value: void) => void} */ done) => {
          if (socket.destroyed || socket.writableEnded) done();
          else socket.write(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes, () => done());
        }),
      end: () => void socket.end(),
      destroy: () => void socket.destroy(),
      received: () => received,
    };
    trick.send(connection, plan, `127.0.0.1:${port}`).then(() => {
      sent = true;
      look();
      if (trick.gone === true && !socket.destroyed) setTimeout(finish, REST);
    });
  });
}
