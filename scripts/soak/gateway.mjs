// The gateways of a soak test, in a process of their own, so that its memory and handles are theirs alone.
import { createGateway } from "@rolecall/gateway";
import { families, protocols } from "../traffic/protocols.mjs";

const services = process.argv.slice(2);
const key = "sk-soak-0123456789";
/** Short enough for services that say nothing more, and longer than others are held up on a loaded machine. */
const timeouts = { firstByte: 10_000, idle: 10_000 };
/** Two conversations of 700 KB: full after a moment, so that what is left at the end is not what they keep on purpose. */
const limits = { historyBytes: 12 << 20 };
const gateways = await Promise.all(
  protocols.map((protocol, index) =>
    createGateway({
      to: families[protocol].base(`http://127.0.0.1:${services[index]}`),
      protocol,
      key,
      timeouts,
      limits,
    }),
  ),
);
const ports = [];
for (const gateway of gateways) ports.push((await gateway.listen()).port);

let warnings = 0;
process.on("warning", (warning) => {
  if (warning.name === "MaxListenersExceededWarning") warnings++;
});
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length;
  const timers = resources.filter((name) => name === "Timeout").length;
  process.send?.({ memory: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20, sockets, timers, warnings });
});
process.send?.(ports);
