import { ConfigError } from "@rolecall/core";

export interface Recipe {
  readonly command: string;
  /** Before the arguments of the user. */
  readonly args: readonly string[];
  /** `undefined` takes a variable away. `{directory}` stands for the folder that holds `files`. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Configuration that the client reads, by path below a folder of its own. Nothing of the user's is changed. */
  readonly files: { readonly [path: string]: string };
}

export interface RecipeOptions {
  /** The model that the client asks for, where it wants to be told. */
  readonly model?: string;
  /** The key that the client presents to the gateway. */
  readonly key?: string;
}

interface Setting {
  readonly url: string;
  readonly model: string;
  readonly key: string;
  /** Only what was stated: some clients choose a model themselves. */
  readonly stated: string | undefined;
}

/** How each client is pointed at the gateway for one process. Written for the versions named. */
const recipes: { readonly [name: string]: (setting: Setting) => Recipe } = {
  // @anthropic-ai/claude-code 2.1.328
  claude: ({ url, key, stated }) => ({
    command: "claude",
    args: stated === undefined ? [] : ["--model", stated],
    env: {
      ANTHROPIC_BASE_URL: url,
      // A token is taken without a question; a key asks whether it shall be used.
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_API_KEY: undefined,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    files: {},
  }),
  // @openai/codex 0.171.0
  codex: ({ url, key, stated }) => ({
    command: "codex",
    args: [
      ...Object.entries({
        model_provider: "rolecall",
        "model_providers.rolecall.name": "Rolecall",
        "model_providers.rolecall.base_url": `${url}/v1`,
        "model_providers.rolecall.env_key": "ROLECALL_CLIENT_KEY",
        "model_providers.rolecall.wire_api": "responses",
      }).flatMap(([name, value]) => ["-c", `${name}=${JSON.stringify(value)}`]),
      ...(stated === undefined ? [] : ["--model", stated]),
    ],
    env: { ROLECALL_CLIENT_KEY: key },
    files: {},
  }),
  // opencode-ai 1.18.33
  opencode: ({ url, key, model }) => ({
    command: "opencode",
    args: ["--model", `rolecall/${model}`],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: `rolecall/${model}`,
        small_model: `rolecall/${model}`,
        provider: {
          rolecall: {
            npm: "@ai-sdk/openai-compatible",
            name: "Rolecall",
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { [model]: {} },
          },
        },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
    files: {},
  }),
  // @google/gemini-cli 0.61.0
  gemini: ({ url, key, stated }) => ({
    command: "gemini",
    args: stated === undefined ? [] : ["--model", stated],
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: key,
      GOOGLE_API_KEY: undefined,
      GOOGLE_GENAI_USE_VERTEXAI: undefined,
      GEMINI_CLI_HOME: "{directory}",
    },
    files: {
      ".gemini/settings.json": JSON.stringify({
        // Beside a base URL alone it looks for a way to log in that it does not have.
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  }),
  // @qwen-code/qwen-code 0.15.10
  qwen: ({ url, key, model }) => ({
    command: "qwen",
    args: ["--auth-type", "openai"],
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: model },
    files: {},
  }),
  // @mariozechner/pi-coding-agent 0.73.1, @earendil-works/pi-coding-agent 1.6.0
  pi: ({ url, key, model }) => ({
    command: "pi",
    args: ["--provider", "rolecall", "--model", model],
    env: { PI_CODING_AGENT_DIR: "{directory}" },
    files: {
      "models.json": JSON.stringify({
        providers: {
          rolecall: { baseUrl: url, apiKey: key, api: "anthropic-messages", models: [{ id: model }] },
        },
      }),
    },
  }),
};

export const recipeNames: readonly string[] = Object.keys(recipes);

/** What a person would do to start a client by a recipe: its files, its environment and its command, as a shell reads them. */
export function formatRecipe({ command, args, env, files }: Recipe): string {
  const paths = Object.entries(files).map(([path, text]) => {
    const folder = path.includes("/") ? `mkdir -p "$directory"/${quoted(path.slice(0, path.lastIndexOf("/")))}\n` : "";
    return `${folder}cat > "$directory"/${quoted(path)} <<'END'\n${text}\nEND\n`;
  });
  const variables = Object.entries(env).map(([name, value]) =>
    value === undefined
      ? `unset ${name}\n`
      : `export ${name}=${value.split("{directory}").map(piece).join('"$directory"')}\n`,
  );
  return [
    ...(paths.length === 0 ? [] : ["directory=$(mktemp -d)\n"]),
    ...paths,
    ...variables,
    `${[command, ...args].map(quoted).join(" ")}\n`,
  ].join("");
}

const piece = (text: string): string => (text === "" ? "" : quoted(text));

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What starts a client that asks the gateway at `gatewayUrl`. Throws a ConfigError for a client without a recipe. */
export function recipeFor(name: string, gatewayUrl: string, options: RecipeOptions = {}): Recipe {
  const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
  if (recipe === undefined)
    throw new ConfigError("/client", `no recipe for "${name}": use one of ${recipeNames.join(", ")}`);
  const { model, key = "rolecall" } = options;
  return recipe({ url: gatewayUrl.replace(/\/+$/, ""), model: model ?? "default", key, stated: model });
}
