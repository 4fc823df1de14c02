import type { ProtocolId } from "@rolecall/core";
import { onTestFinished } from "vitest";
import type { ExchangeRecord, Gateway, GatewayOptions } from "../src/index.ts";
import { createGateway } from "../src/index.ts";
import type { Answer, Service } from "./service.ts";
import { startService } from "./service.ts";

export interface Started {
  readonly service: Service;
  readonly gateway: Gateway;
  readonly url: string;
  readonly records: ExchangeRecord[];
  readonly lines: string[];
}

/** A key that the tests look for where it must not be. */
export const serviceKey = "sk-service-0123456789abcdef";

/** A service that answers as stated, and a gateway in front of it; both end with the test. */
export async function start(
  setup: GatewayOptions & { readonly protocol: ProtocolId; readonly answer: Answer },
): Promise<Started> {
  const { answer, ...options } = setup;
  const service = await startService(answer);
  const records: ExchangeRecord[] = [];
  const lines: string[] = [];
  const gateway = await createGateway({
    to: setup.protocol.startsWith("openai-") ? `${service.origin}/v1` : service.origin,
    ...(options.passKey !== true && { key: serviceKey }),
    onExchange: (record) => records.push(record),
    log: (line) => lines.push(line),
    ...options,
  });
  const { url } = await gateway.listen();
  onTestFinished(async () => {
    await service.close();
    await gateway.close();
  });
  return { service, gateway, url, records, lines };
}

/** One request, as plainly as it can be made. */
export function post(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}
