import { models as known } from "@rolecall/catalog/openai";
import type { Model, Provider, ProviderOptions } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import { vendorRows } from "./rows.ts";

export interface OpenaiOptions extends ProviderOptions {
  /** Which of its protocols its models are asked in; "openai-responses" unless stated. */
  readonly api?: "openai-responses" | "openai-chat";
}

/** OpenAI, in Responses or Chat Completions: https://platform.openai.com/docs/api-reference. */
export function openaiProvider({ api = "openai-responses", ...options }: OpenaiOptions = {}): Provider {
  const models = (options.models ?? known).map((model): Model => (model.type === "chat" ? { ...model, api } : model));
  return createProvider({ ...vendorRows.openai, api }, { ...options, models });
}
