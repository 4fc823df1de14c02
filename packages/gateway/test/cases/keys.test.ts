import { expect } from "vitest";
import { createGateway } from "../../src/index.ts";
import { anthropicText, chatText, isMessages, json } from "../service.ts";
import { post, serviceKey, start } from "../start.ts";
import type { Body } from "./fault.ts";
import { testGatewayFaults } from "./fault.ts";

const paths = ["/v1/chat/completions", "/v1/messages"];
const protocols = ["openai-chat", "anthropic-messages"] as const;
const ask: Body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "go" }] };
const headerNames = [
  "authorization",
  "x-api-key",
  "x-goog-api-key",
  "api-key",
  "xi-api-key",
  "cookie",
  "proxy-authorization",
  "x-auth-token",
  "openai-organization",
];

/** The values of some headers that look like keys. */
const secretsIn = (headers: Record<string, string>): string[] =>
  Object.entries(headers).map(([name, value]) => (name === "authorization" ? value.replace(/^Bearer /, "") : value));

testGatewayFaults("keys", {
  "gateway-auth-forwarded": {
    siblings: headerNames.map((name) => ({
      input: { headers: { [name]: name === "authorization" ? "Bearer client-secret" : "client-secret" }, body: ask },
    })),
    async check({ headers, body }) {
      for (const protocol of protocols) {
        const { service: other } = await start({ protocol, answer: (_r, response) => json(response, 200, {}) });
        const { url, service } = await start({
          protocol,
          answer: (received, response) => {
            if (received.body.model === "redirect") {
              response.writeHead(307, { location: `${other.origin}${received.url}` });
              response.end();
            } else json(response, 200, isMessages(received) ? anthropicText("ok") : chatText("ok"));
          },
        });
        for (const path of paths) {
          for (const model of ["m", "redirect"]) {
            const answer = await post(url, path, { max_tokens: 9, ...body, model }, headers);
            expect(answer.status).toBe(model === "m" ? 200 : 502);
          }
        }
        expect(service.received).toHaveLength(4);
        expect(other.received).toEqual([]);
        for (const { headers: sent, text } of service.received) {
          for (const secret of secretsIn(headers)) expect(JSON.stringify(sent) + text).not.toContain(secret);
          expect(sent["x-api-key"] ?? sent.authorization).toContain(serviceKey);
        }
      }
      // Without a key of its own, a gateway before a service that demands one does not even start.
      for (const to of ["https://api.openai.com/v1", "https://api.anthropic.com"])
        await expect(createGateway({ to, env: {} })).rejects.toMatchObject({ path: "/key" });
    },
  },

  "gateway-key-in-logs": {
    siblings: ["authorization", "x-api-key", "api-key"].flatMap((name) =>
      [200, 400, 401, 500].map((status) => ({
        input: {
          headers: { [name]: name === "authorization" ? "Bearer client-key-98765" : "client-key-98765" },
          status,
        },
      })),
    ),
    async check({ headers, body = ask, status = 401 }) {
      const secrets = [...secretsIn(headers), serviceKey];
      const leak = secrets.flatMap((secret) => [secret, `https://a.test/v1?key=${secret}`]).join(", ");
      for (const protocol of protocols) {
        const { url, records, lines } = await start({
          protocol,
          verbose: true,
          answer: (_r, response) =>
            json(response, status, { type: "error", error: { type: leak, message: leak, code: leak } }),
        });
        const texts: string[] = [];
        for (const path of paths) {
          for (const stream of [false, true]) {
            const answer = await post(url, path, { max_tokens: 9, ...body, stream }, headers);
            expect(answer.status).toBeGreaterThanOrEqual(400);
            texts.push(await answer.text(), JSON.stringify([...answer.headers]));
          }
        }
        texts.push(await (await fetch(`${url}/rolecall/reports`)).text(), lines.join("\n"), JSON.stringify(records));
        for (const { id } of records) texts.push(await (await fetch(`${url}/rolecall/reports/${id}`)).text());
        for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
      }
    },
  },

  "config-key-wrong-host": {
    siblings: [
      { OPENAI_API_KEY: "sk-openai-1234", ANTHROPIC_API_KEY: "sk-ant-1234" },
      { OPENAI_KEY: "sk-openai-1234", API_KEY: "sk-1234567", LLM_API_KEY: "sk-live-1234" },
    ].map((env) => ({ input: { env } })),
    async check({ env }) {
      for (const protocol of protocols) {
        const { service } = await start({
          protocol,
          answer: (received, response) =>
            json(response, 200, isMessages(received) ? anthropicText("ok") : chatText("ok")),
        });
        const to = protocol === "openai-chat" ? `${service.origin}/v1` : service.origin;
        for (const [index, [name, secret]] of Object.entries<string>(env).entries()) {
          for (const keyEnv of [undefined, name]) {
            const gateway = await createGateway({ to, protocol, env, ...(keyEnv !== undefined && { keyEnv }) });
            const { url } = await gateway.listen();
            await post(url, paths[index % 2]!, ask);
            await gateway.close();
            const sent = JSON.stringify(service.received.at(-1)!.headers);
            // Only the variable that was named for this service, and only where one was.
            for (const other of Object.values<string>(env))
              expect(sent.includes(other)).toBe(keyEnv !== undefined && other === secret);
          }
        }
      }
    },
  },
});
