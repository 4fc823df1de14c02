/** A thin HTTP gateway: a client of one LLM protocol in front of a service of another. */
export { type CommandEnvironment, runGateway } from "./command/gateway.ts";
export { runLaunch } from "./command/launch.ts";
export { rolecallFetch } from "./fetch.ts";
export { createGateway, type Gateway, type Listening } from "./gateway.ts";
export { type LaunchOptions, launch } from "./launch/launch.ts";
export { type Recipe, type RecipeOptions, recipeFor, recipeNames } from "./launch/recipes.ts";
export { type ModelMap, type ModelTarget, readModelMap } from "./model/map.ts";
export type { GatewayOptions, Limits, Timeouts } from "./options.ts";
export { type FormatOptions, formatExchange } from "./report/format.ts";
export type { ExchangeRecord, Report } from "./report/record.ts";
