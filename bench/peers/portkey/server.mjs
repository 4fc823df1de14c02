// Starts the gateway of Portkey as its README does (`npx @portkey-ai/gateway`), without the console: `--headless`.
import { createServer } from "node:net";

/** @returns {Promise<number>} a port that nobody listens on */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** @returns {Promise<number>} the port */
export async function listen() {
  const port = await freePort();
  process.argv.splice(2, Infinity, `--port=${port}`, "--headless");
  // It listens as soon as it is loaded, and plays an animation before the import is done.
  const started = import(/** @type {string} */ ("@portkey-ai/gateway/build/start-server.js"));
  const isListening = () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
  for (;;) {
    const outcome = await Promise.race([
      isListening().then(
        () => true,
        () => false,
      ),
      started.then(() => false),
    ]);
    if (outcome) return port;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
