import type { Json, JsonObject, Loss, Profile, ProtocolId } from "../../src/index.ts";
import {
  convertError,
  convertRequest,
  convertResponse,
  convertStream,
  createSseParser,
  UnsupportedError,
} from "../../src/index.ts";
import type { Example, Mode } from "./matrix.ts";

export type Outcome = { readonly value: Json; readonly losses: readonly Loss[] } | { readonly refused: string };

/** When answers come: their protocols tell no time themselves, or another. */
const receivedAt = 1767225600000;

/** What comes of a body: the body of the target, or of a stream its frames. An error is one of an answer with status 400. */
export async function outcomeOf(
  mode: Mode,
  from: ProtocolId,
  to: ProtocolId,
  body: Json,
  { headers, profiles = {} }: Pick<Example, "headers" | "profiles">,
): Promise<Outcome> {
  const target: Profile = profiles[to] ?? {};
  const answer = { from, to, target, receivedAt };
  try {
    switch (mode) {
      case "request": {
        const url = from === "gemini-generate-content" ? { url: { model: "example-model" } } : {};
        const wire = { body, ...url, ...(headers !== undefined && { headers }) };
        const { value, losses } = await convertRequest(wire, { from, to, target });
        return { value: value.body, losses };
      }
      case "response":
        return await convertResponse(body as JsonObject, answer);
      case "error": {
        const error = await convertError({ status: 400, body }, { from, to });
        return { value: error.value.body, losses: error.losses };
      }
      case "stream": {
        const stream = convertStream([sse(body as readonly Frame[])], answer);
        let text = "";
        for await (const chunk of stream) text += chunk;
        return { value: framesOf(text), losses: await stream.report };
      }
    }
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    return { refused: `${error.feature} ${error.path}` };
  }
}

/** The names of what is expected of losses: each as `kind code place`. */
export const namesOf = (losses: readonly Loss[]): string[] =>
  losses.map(({ kind, code, path, targetPath }) => `${kind} ${code} ${path || `→${targetPath ?? ""}`}`);

interface Frame {
  readonly event?: string;
  readonly comment?: string;
  readonly data?: Json;
}

function sse(frames: readonly Frame[]): string {
  const lines = frames.map(({ event, comment, data }) => [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${typeof data === "string" ? data : JSON.stringify(data)}`]),
  ]);
  return lines.map((frame) => `${frame.join("\n")}\n\n`).join("");
}

function framesOf(text: string): Json {
  const parser = createSseParser();
  return [...parser.push(text), ...parser.finish()].map(({ event, data }) => ({
    ...(event !== undefined && { event }),
    data: readData(data),
  }));
}

function readData(text: string): Json {
  return text.startsWith("{") ? (JSON.parse(text) as Json) : text;
}
