import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../../ir/index.ts";
import { argumentObject, jsonObject } from "../json.ts";
import { few, maybe, mostly, oneWord, shape } from "../shape.ts";
import { arbitraryText, base64, callId, plainText, toolName, url } from "../text.ts";

const signature = { thoughtSignature: base64 };

export const textPart: Arbitrary<JsonObject> = shape({ text: arbitraryText() }, signature, 9);
const thoughtPart: Arbitrary<JsonObject> = shape({ text: plainText, thought: fc.constant(true) }, signature);

const dataPart: Arbitrary<JsonObject> = shape(
  {
    inlineData: shape(
      { mimeType: oneWord("image/png", "image/jpeg", "application/pdf", "text/plain"), data: base64 },
      { displayName: plainText },
      9,
    ),
  },
  { mediaResolution: shape({ level: oneWord("MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_HIGH") }) },
  9,
);
const filePart: Arbitrary<JsonObject> = shape({
  fileData: shape({ fileUri: url }, { mimeType: oneWord("image/png", "application/pdf") }, 1),
});
/** Sounds and films are rare, because not every target takes them. */
const soundPart: Arbitrary<JsonObject> = shape(
  { inlineData: shape({ mimeType: oneWord("audio/wav", "video/mp4"), data: base64 }) },
  { videoMetadata: shape({}, { startOffset: oneWord("1s"), endOffset: oneWord("9s"), fps: fc.nat(9) }, 1) },
  9,
);

const codePart: Arbitrary<JsonObject> = shape({
  executableCode: shape({ language: oneWord("PYTHON"), code: arbitraryText() }, { id: plainText }, 9),
});
const outputPart: Arbitrary<JsonObject> = shape({
  codeExecutionResult: shape({ outcome: oneWord("OUTCOME_OK", "OUTCOME_FAILED"), output: arbitraryText() }),
});

/** Parts of a turn of the user. */
const userParts: Arbitrary<JsonObject[]> = mostly(
  few(textPart),
  few(mostly(textPart, dataPart, filePart)),
  few(soundPart, 1),
);

/** Parts of an answer beside its calls. */
export const answerParts: Arbitrary<JsonObject[]> = mostly(
  few(textPart, 2),
  few(mostly(textPart, thoughtPart)),
  few(mostly(textPart, codePart, outputPart, dataPart)),
);

/** A call, mostly without its id, as Gemini mostly gives it. */
export const callPart: Arbitrary<JsonObject> = shape(
  { functionCall: shape({ name: toolName, args: argumentObject }, { id: callId }) },
  signature,
);

interface CallTurn {
  readonly said: readonly JsonObject[] | undefined;
  readonly calls: readonly { readonly call: JsonObject; readonly response: JsonObject; readonly place: number }[];
  readonly fault: "none" | "missing" | "orphan";
  readonly role: string;
}

const response: Arbitrary<JsonObject> = mostly(
  shape({ output: arbitraryText() }),
  shape({ result: arbitraryText() }),
  shape({ error: plainText }),
  jsonObject,
);

/** A turn with calls and the turn that answers them, in any order; now and then one too few or too many. */
const callTurn: Arbitrary<readonly JsonObject[]> = shape<CallTurn>({
  said: maybe(few(mostly(textPart, thoughtPart), 2)),
  calls: few(shape({ call: callPart, response, place: fc.nat(9) })),
  fault: mostly(fc.constant("none"), oneWord("missing", "orphan")),
  role: mostly(oneWord("user"), oneWord("function")),
}).map(({ said, calls, fault, role }) => {
  const results = [...calls]
    .sort((left, right) => left.place - right.place)
    .map(({ call, response: value }): JsonObject => {
      const { name, id } = call["functionCall"] as JsonObject;
      return {
        functionResponse: { ...(id !== undefined && { id }), name: name as string, response: value },
      };
    });
  if (fault === "missing") results.pop();
  if (fault === "orphan")
    results.push({ functionResponse: { name: "called_by_nobody", response: { output: "lost" } } });
  return [
    { role: "model", parts: [...(said ?? []), ...calls.map(({ call }) => call)] },
    ...(results.length === 0 ? [] : [{ role, parts: results }]),
  ];
});

const user: Arbitrary<JsonObject> = shape({ role: oneWord("user"), parts: userParts });
const model: Arbitrary<JsonObject> = shape({ role: oneWord("model"), parts: answerParts });
const alone = (turn: Arbitrary<JsonObject>): Arbitrary<readonly JsonObject[]> => turn.map((only) => [only]);

/** The turns of a request. */
export const contents: Arbitrary<readonly JsonObject[]> = fc
  .tuple(user, fc.array(mostly(callTurn, alone(user), alone(model)), { maxLength: 4 }))
  .map(([first, groups]) => [first, ...groups.flat()]);
