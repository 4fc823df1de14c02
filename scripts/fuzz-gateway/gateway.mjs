// The gateways of a fuzz test, in a process of their own, so that its memory and handles are theirs alone. Their lines go to the standard output.
import { createGateway } from "@rolecall/gateway";
import { families, protocols } from "../traffic/protocols.mjs";
import { limits, serviceKey, timeouts } from "./exchange.mjs";

const services = process.argv.slice(2);
const ports = [];
for (const [index, protocol] of protocols.entries()) {
  const to = families[protocol].base(`http://127.0.0.1:${services[index]}`);
  const gateway = await createGateway({
    to,
    protocol,
    key: serviceKey,
    limits,
    timeouts,
    log: (line) => console.log(line),
    verbose: true,
  });
  ports.push((await gateway.listen()).port);
}

let rejections = 0;
process.on("unhandledRejection", (reason) => {
  rejections++;
  console.error("unhandled rejection", reason);
});
process.on("warning", (warning) => console.error("warning", warning));
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const sockets = resources.filter((name) => name === "TCPSocketWrap").length;
  const timers = resources.filter((name) => name === "Timeout").length;
  process.send?.({ memory: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20, sockets, timers, rejections });
});
process.send?.(ports);
