import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type {
  OpaquePart,
  Part,
  RefusalPart,
  ServerToolCallPart,
  ServerToolResultPart,
  SystemPart,
  ThinkingPart,
  ToolCallPart,
  ToolReferencePart,
} from "../../ir/index.ts";
import { arbitraryJson, argumentObject, argumentText, jsonObject } from "../json.ts";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.ts";
import { arbitraryText, identifier, plainText, toolName } from "../text.ts";
import { audioPart, documentPart, imagePart, videoPart } from "./media.ts";
import { nodeFields, opaqueState, protocolId, textPart } from "./text.ts";

const thinkingPart: Arbitrary<ThinkingPart> = typed(
  "thinking",
  { thinking: arbitraryText() },
  {
    kind: oneWord("full", "summary"),
    state: few(opaqueState("signature", "encrypted", "details", "itemId"), 2),
  },
  1,
);

const refusalPart: Arbitrary<RefusalPart> = typed("refusal", { text: arbitraryText() }, { category: plainText });

const opaquePart: Arbitrary<OpaquePart> = typed("opaque", {
  protocol: protocolId,
  slot: oneWord("block", "part", "item"),
  value: jsonObject.map((value) => ({ ...value, type: "later_block" })),
});

const toolReference: Arbitrary<ToolReferencePart> = typed("toolReference", { name: toolName }, nodeFields);

/** A call that a service ran by itself, and its result. */
const serverRecord: Arbitrary<readonly Part[]> = fc
  .tuple(
    typed<ServerToolCallPart>(
      "serverToolCall",
      { id: identifier, name: oneWord("web_search", "code_execution"), input: arbitraryJson() },
      { server: plainText },
      5,
    ),
    typed<ServerToolResultPart>("serverToolResult", {
      protocol: protocolId,
      value: shape({ type: oneWord("web_search_tool_result"), content: fc.constant([]) }),
    }),
  )
  .map(([call, result]) => [call, { ...result, toolCallId: call.id }]);

/** A call without its id, which is unique in a conversation. */
export const openCall: Arbitrary<ToolCallPart> = fc
  .tuple(
    typed<ToolCallPart>(
      "toolCall",
      { name: toolName, kind: mostly(oneWord("function"), oneWord("custom", "mcp", "computer", "shell", "patch")) },
      {
        ...nodeFields,
        namespace: maybe(toolName, 3),
        caller: maybe(typed("direct"), 3),
        argumentsError: maybe(plainText, 3),
        state: few(opaqueState("callId", "itemId", "signature"), 2),
      },
    ),
    argumentText,
    argumentObject,
    fc.boolean(),
  )
  .map(([call, text, value, asText]) =>
    asText || call.kind === "custom"
      ? ({ ...call, argumentsText: text } as ToolCallPart)
      : ({ ...call, arguments: value } as ToolCallPart),
  );

const alone = <T>(item: Arbitrary<T>): Arbitrary<readonly T[]> => item.map((only) => [only]);

/** Parts of an instruction. Media there are rare. */
export const systemParts: Arbitrary<readonly SystemPart[]> = few(
  weighted<SystemPart>([12, textPart], [1, imagePart], [1, documentPart], [1, toolReference], [1, opaquePart]),
  2,
  0,
);

/** Parts of what the user says. */
export const userParts: Arbitrary<readonly Part[]> = few(
  weighted<Part>([12, textPart], [4, imagePart], [3, documentPart], [1, audioPart], [1, videoPart], [1, opaquePart]),
  3,
  0,
);

/** Parts of a result. */
export const resultParts: Arbitrary<readonly Part[]> = few(
  weighted<Part>(
    [12, textPart],
    [3, imagePart],
    [2, documentPart],
    [1, audioPart],
    [1, toolReference],
    [1, refusalPart],
    [1, opaquePart],
  ),
  2,
  0,
);

/** Parts of a turn of the model beside its calls. */
export const modelParts: Arbitrary<readonly Part[]> = fc
  .array(
    weighted<readonly Part[]>(
      [8, alone<Part>(textPart)],
      [5, alone<Part>(thinkingPart)],
      [1, alone<Part>(refusalPart)],
      [1, alone<Part>(imagePart)],
      [1, alone<Part>(opaquePart)],
      [1, serverRecord],
    ),
    { maxLength: 3 },
  )
  .map((groups) => groups.flat());
