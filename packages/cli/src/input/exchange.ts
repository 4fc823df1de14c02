import type { Exchange, ProtocolId } from "@rolecall/core";
import { ConfigError, isJsonObject } from "@rolecall/core";
import { blame } from "../mistake.ts";
import { readJsonFile } from "./file.ts";

/** Reads the exchange of a request, by itself or in what `convert --json` printed. The response goes the way back. */
export async function readExchange(file: string, from: ProtocolId, to: ProtocolId): Promise<Exchange> {
  const { value } = await readJsonFile(file);
  return blame(file, () => {
    const exchange = isJsonObject(value) && isJsonObject(value["exchange"]) ? value["exchange"] : value;
    if (!isJsonObject(exchange) || typeof exchange["from"] !== "string" || typeof exchange["to"] !== "string") {
      throw new ConfigError("", 'not an exchange: give what "rolecall convert --json" printed for the request');
    }
    if (exchange["from"] !== to || exchange["to"] !== from) {
      const way = `${exchange["from"]} → ${exchange["to"]}`;
      throw new ConfigError("", `the exchange is of a request ${way}; its response goes back, not ${from} → ${to}`);
    }
    return exchange as unknown as Exchange;
  });
}
