// Starts the server of @musistudio/llms, with a provider for each protocol, all at one address.
import { createRequire } from "node:module";

/** @param {string} service the address of the service @returns {Promise<number>} the port */
export async function listen(service) {
  // The entry for `import` throws: Dynamic require of "child_process" is not supported.
  const { default: Server } = createRequire(import.meta.url)("@musistudio/llms");
  const provider = (/** @type {string} */ name, /** @type {string} */ path, /** @type {string[]} */ ...use) => ({
    name,
    api_base_url: service + path,
    api_key: "sk-bench-0123456789",
    models: ["m"],
    ...(use.length > 0 && { transformer: { use } }),
  });
  const providers = [
    provider("openai-chat", "/v1/chat/completions"),
    provider("openai-responses", "/v1/responses", "openai-responses"),
    provider("anthropic-messages", "/v1/messages", "Anthropic"),
    provider("gemini-generate-content", "/v1beta/models/", "gemini"),
  ];
  const server = new Server({
    logger: false,
    useJsonFile: false,
    initialConfig: { PORT: "0", HOST: "127.0.0.1", providers },
  });
  // Its transformers are registered behind a promise that it keeps to itself.
  while (server.llmService === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  await server.start();
  return server.app.server.address().port;
}
