import type { ProviderRow } from "../models/index.ts";

/** A service that is known by name. */
export type KnownService =
  | "azure"
  | "cerebras"
  | "deepseek"
  | "fireworks"
  | "groq"
  | "llama.cpp"
  | "lm-studio"
  | "mistral"
  | "moonshot"
  | "ollama"
  | "openrouter"
  | "together"
  | "vllm"
  | "xai"
  | "zai";

/**
 * Services that are asked in Chat Completions. Base URLs and variables are those of npm:@earendil-works/pi-ai@1.6.0 where that asks a service in this
 * protocol, and else those of https://docs.z.ai/api-reference/introduction and of the defaults of servers: https://docs.ollama.com/api/introduction,
 * https://github.com/ggml-org/llama.cpp/tree/master/tools/server, https://lmstudio.ai/docs/developer/core/server,
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html.
 */
export const rows: { readonly [S in KnownService]: ProviderRow } = {
  azure: {
    id: "azure",
    name: "Azure OpenAI",
    baseUrl: "",
    api: "openai-chat",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
  },
  cerebras: {
    id: "cerebras",
    name: "Cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    api: "openai-chat",
    keyVariables: ["CEREBRAS_API_KEY"],
  },
  deepseek: {
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    api: "openai-chat",
    keyVariables: ["DEEPSEEK_API_KEY"],
  },
  fireworks: {
    id: "fireworks",
    name: "Fireworks AI",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    api: "openai-chat",
    keyVariables: ["FIREWORKS_API_KEY"],
  },
  groq: {
    id: "groq",
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    api: "openai-chat",
    keyVariables: ["GROQ_API_KEY"],
  },
  "llama.cpp": {
    id: "llama.cpp",
    name: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    api: "openai-chat",
    keyVariables: [],
    isKeyless: true,
  },
  "lm-studio": {
    id: "lm-studio",
    name: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    api: "openai-chat",
    keyVariables: [],
    isKeyless: true,
  },
  mistral: {
    id: "mistral",
    name: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    api: "openai-chat",
    keyVariables: ["MISTRAL_API_KEY"],
  },
  moonshot: {
    id: "moonshot",
    name: "Moonshot AI",
    baseUrl: "https://api.moonshot.ai/v1",
    api: "openai-chat",
    keyVariables: ["MOONSHOT_API_KEY"],
  },
  ollama: {
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    api: "openai-chat",
    keyVariables: [],
    isKeyless: true,
  },
  openrouter: {
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    api: "openai-chat",
    keyVariables: ["OPENROUTER_API_KEY"],
  },
  together: {
    id: "together",
    name: "Together AI",
    baseUrl: "https://api.together.ai/v1",
    api: "openai-chat",
    keyVariables: ["TOGETHER_API_KEY"],
  },
  vllm: {
    id: "vllm",
    name: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    api: "openai-chat",
    keyVariables: [],
    isKeyless: true,
  },
  xai: {
    id: "xai",
    name: "xAI",
    baseUrl: "https://api.x.ai/v1",
    api: "openai-chat",
    keyVariables: ["XAI_API_KEY"],
  },
  zai: {
    id: "zai",
    name: "Z.ai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    api: "openai-chat",
    keyVariables: ["ZAI_API_KEY"],
  },
};

/** A service whose vendor has a protocol of its own. */
export type VendorService = "anthropic" | "google" | "openai";

/** Those services, with the protocol that they are asked in unless another one is chosen. */
export const vendorRows: { readonly [S in VendorService]: ProviderRow } = {
  anthropic: {
    id: "anthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com",
    api: "anthropic-messages",
    keyVariables: ["ANTHROPIC_API_KEY"],
  },
  google: {
    id: "google",
    name: "Google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    api: "gemini-generate-content",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
  openai: {
    id: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    api: "openai-responses",
    keyVariables: ["OPENAI_API_KEY"],
  },
};
