// The gateways of a soak test, in a process of their own, so that its memory and handles are theirs alone.
import { createGateway } from "@rolecall/gateway";

const [chatPort, messagesPort] = process.argv.slice(2);
const key = "sk-soak-0123456789";
const gateways = [
  await createGateway({ to: `http://127.0.0.1:${chatPort}/v1`, protocol: "openai-chat", key }),
  await createGateway({ to: `http://127.0.0.1:${messagesPort}`, protocol: "anthropic-messages", key }),
];
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
