/** A thin HTTP gateway: a client of one LLM protocol in front of a service of another. */
export { rolecallFetch } from "./fetch.ts";
export { createGateway, type Gateway, type Listening } from "./gateway.ts";
export { type ModelMap, type ModelTarget, readModelMap } from "./model/map.ts";
export type { GatewayOptions, Limits, Timeouts } from "./options.ts";
export { type FormatOptions, formatExchange } from "./report/format.ts";
export type { ExchangeRecord, Report } from "./report/record.ts";
