import type { DecodeError } from "../errors/index.ts";
import type {
  Json,
  JsonObject,
  Message,
  MessageInput,
  Part,
  PartInput,
  Pointer,
  Tool,
  ToolInput,
} from "../ir/index.ts";
import { createMessage, createPart, createTool, escapeSegment, isJsonObject } from "../ir/index.ts";
import {
  costShape,
  messageShapes,
  nodeShape,
  originShape,
  partShapes,
  sourceShapes,
  stateShape,
  toolShapes,
  usageShape,
} from "./fields.ts";
import { checkShape, describe, expectList, expectObject, refuse } from "./shape.ts";
import type { Producer } from "./signatures.ts";
import { withState } from "./signatures.ts";
import { toolDeclaration } from "./tools.ts";

/** What other software calls the protocols. */
const apis: { readonly [name: string]: string } = {
  "openai-completions": "openai-chat",
  "google-generative-ai": "gemini-generate-content",
};
const systemParts = ["text", "image", "document", "toolReference", "opaque"];
/** So deep may documents hold documents, and answers alternatives. */
const maximumNesting = 64;

/** The normal form of a message. Throws a DecodeError with the place where it is none, and with the mend. */
export function normalizeMessage(value: unknown, pointer: Pointer, nesting = 0): Message {
  const input = expectObject(value, pointer, "a message: an object with a role");
  const role = input["role"];
  if (typeof role !== "string" || !Object.hasOwn(messageShapes, role)) throw refuseRole(role, pointer);
  const stated = loose(input, role, pointer, nesting);
  checkShape(stated, messageShapes[role as Message["role"]], pointer);
  checkNode(stated, pointer);
  return createMessage(stated as unknown as MessageInput);
}

/** Checks what every message, part and tool may carry. */
function checkNode(object: JsonObject, pointer: Pointer): void {
  checkShape(object, nodeShape, pointer);
  if (object["origin"] !== undefined) checkShape(object["origin"] as JsonObject, originShape, `${pointer}/origin`);
  (object["state"] as readonly Json[] | undefined)?.forEach((item, index) => {
    const place = `${pointer}/state/${index}`;
    checkShape(expectObject(item, place, "an object with protocol, kind and value"), stateShape, place);
  });
}

function refuseRole(role: unknown, pointer: Pointer): DecodeError {
  const place = `${pointer}/role`;
  if (typeof role !== "string") return refuse(place, `role is ${describe(role)}; give one of ${roles}`);
  return refuse(
    place,
    `no model knows the role "${role}"; give one of ${roles}, or a handler for it to createConvertToLlm`,
  );
}
const roles = Object.keys(messageShapes).join(", ");

/** The input with everything in it checked and in normal form but for what `createMessage` does. */
function loose(input: JsonObject, role: string, pointer: Pointer, nesting: number): JsonObject {
  switch (role) {
    case "system":
      return { ...input, ...systemFields(input, pointer, nesting) };
    case "assistant":
      return { ...input, ...assistantFields(input, pointer, nesting) };
    case "toolResult":
      return { ...input, content: contentOf(input, pointer, nesting), ...usageField(input, pointer) };
    default:
      return { ...input, content: contentOf(input, pointer, nesting) };
  }
}

function systemFields(input: JsonObject, pointer: Pointer, nesting: number): JsonObject {
  const { sections, toolsAdded, toolsRemoved } = input;
  const content = input["content"] === undefined ? [] : contentOf(input, pointer, nesting);
  (content as readonly JsonObject[]).forEach((part, index) => {
    const type = part["type"] as string;
    if (!systemParts.includes(type))
      throw refuse(
        `${pointer}/content/${index}`,
        `an instruction holds no part of type ${type}; put it into a message of another role`,
      );
  });
  return {
    content,
    ...(sections !== undefined && { sections: sectionsOf(sections, `${pointer}/sections`) }),
    ...(toolsAdded !== undefined && {
      toolsAdded: normalizeTools(toolsAdded, `${pointer}/toolsAdded`) as unknown as Json,
    }),
    ...(toolsRemoved !== undefined && { toolsRemoved: referencesOf(toolsRemoved, `${pointer}/toolsRemoved`) }),
  };
}

const indexName = /^(?:0|[1-9]\d*)$/;

function sectionsOf(value: Json, pointer: Pointer): Json {
  const form = "a list of { name, text }, or an object of texts by name";
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const place = `${pointer}/${index}`;
      const section = expectObject(item, place, "an object with name and text");
      checkShape(section, { name: "text" }, place);
      checkText(section["text"], `${place}/text`);
    });
    return value;
  }
  const record = expectObject(value, pointer, form);
  const names = Object.keys(record);
  for (const name of names) checkText(record[name], `${pointer}/${escapeSegment(name)}`);
  // JavaScript puts such names first, and ascending, wherever they stood.
  const moved = names.length > 1 ? names.find((name) => indexName.test(name)) : undefined;
  if (moved !== undefined)
    throw refuse(
      `${pointer}/${moved}`,
      `an object does not keep the order of the name "${moved}"; give sections as a list of { name, text }`,
    );
  return record;
}

function checkText(value: unknown, pointer: Pointer): void {
  if (typeof value !== "string" && value !== null)
    throw refuse(pointer, `a section is ${describe(value)}; give text, or null to remove it`);
}

function referencesOf(value: Json, pointer: Pointer): readonly Json[] {
  const list = expectList(value, pointer, "a list of names or of { name }");
  list.forEach((item, index) => {
    const place = `${pointer}/${index}`;
    if (typeof item !== "string") checkShape(expectObject(item, place, "a name or { name }"), { name: "text" }, place);
  });
  return list;
}

function assistantFields(input: JsonObject, pointer: Pointer, nesting: number): JsonObject {
  const { api, provider, alternatives } = input;
  const name = typeof api === "string" && Object.hasOwn(apis, api) ? (apis[api] as string) : api;
  checkShape(
    name === undefined ? {} : { api: name },
    { "api?": messageShapes.assistant["api?"] as readonly string[] },
    pointer,
  );
  const producer = {
    ...(name !== undefined && { api: name }),
    ...(typeof provider === "string" && { provider }),
  } as Producer;
  if (nesting > maximumNesting) throw refuse(pointer, "this nests too deep; leave alternatives of alternatives out");
  return {
    content: contentOf(input, pointer, nesting, producer),
    ...(name !== undefined && { api: name }),
    ...usageField(input, pointer),
    ...(alternatives !== undefined && {
      alternatives: expectList(alternatives, `${pointer}/alternatives`, "a list of answers").map((item, index) => {
        const place = `${pointer}/alternatives/${index}`;
        const other = normalizeMessage(item, place, nesting + 1);
        if (other.role !== "assistant")
          throw refuse(`${place}/role`, "an alternative is an answer; give role assistant");
        return other as unknown as Json;
      }),
    }),
  };
}

/** The content as a list of parts. Those of the model are signed by who produced the message. */
function contentOf(input: JsonObject, pointer: Pointer, nesting: number, producer: Producer = {}): readonly Json[] {
  const { content } = input;
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const place = `${pointer}/content`;
  return partsOf(expectList(content, place, "text or a list of parts"), place, nesting, producer);
}

function partsOf(list: readonly Json[], pointer: Pointer, nesting: number, producer: Producer): readonly Json[] {
  if (nesting > maximumNesting)
    throw refuse(pointer, "this nests too deep; give documents with less inside of each other");
  return list.map((item, index) => partOf(item, `${pointer}/${index}`, nesting, producer) as unknown as Json);
}

function partOf(value: Json, pointer: Pointer, nesting: number, producer: Producer): Part {
  if (typeof value === "string") return createPart(value);
  const input = expectObject(value, pointer, "text or a part: an object with a type");
  if (input["type"] === "image" && input["source"] === undefined)
    checkShape(input, { data: "text", mimeType: "text" }, pointer);
  const isBareCall =
    input["type"] === undefined && ["id", "name", "arguments"].every((key) => Object.hasOwn(input, key));
  const isTyped = input["type"] !== undefined || isBareCall;
  const part = isTyped ? (createPart(input as unknown as PartInput) as unknown as JsonObject) : input;
  const type = part["type"];
  if (typeof type !== "string" || !Object.hasOwn(partShapes, type))
    throw refuse(
      `${pointer}/type`,
      typeof type === "string"
        ? 'no part has this type; what only one protocol knows is { type: "opaque", protocol, slot, value }'
        : `type is ${describe(type)}; give one of ${Object.keys(partShapes).join(", ")}`,
    );
  checkShape(part, partShapes[type as Part["type"]], pointer);
  checkNode(part, pointer);
  if (type === "toolCall") checkArguments(part, pointer);
  (Array.isArray(part["citations"]) ? part["citations"] : []).forEach((citation: unknown, index) => {
    const place = `${pointer}/citations/${index}`;
    checkNode(expectObject(citation, place, "a citation: an object with a type"), place);
  });
  const source = part["source"];
  const inner = isJsonObject(source) ? { source: sourceOf(source, type, `${pointer}/source`, nesting) } : undefined;
  return withState(inner === undefined ? part : { ...part, ...inner }, producer) as unknown as Part;
}

function checkArguments(call: JsonObject, pointer: Pointer): void {
  if ((call["arguments"] === undefined) !== (call["argumentsText"] === undefined)) return;
  throw refuse(
    `${pointer}/arguments`,
    "give a call either arguments, an object, or argumentsText, the text that the model wrote",
  );
}

function sourceOf(source: JsonObject, part: string, pointer: Pointer, nesting: number): JsonObject {
  const allowed = part === "document" ? Object.keys(sourceShapes) : ["base64", "url", "file"];
  const type = source["type"];
  if (typeof type !== "string" || !allowed.includes(type))
    throw refuse(`${pointer}/type`, `no source of this part; give one of ${allowed.join(", ")}`);
  checkShape(source, sourceShapes[type as keyof typeof sourceShapes], pointer);
  const content = source["content"];
  if (!Array.isArray(content)) return source;
  return { ...source, content: partsOf(content as readonly Json[], `${pointer}/content`, nesting + 1, {}) };
}

type Count = "input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens";
const buckets: readonly Count[] = ["input", "output", "cacheRead", "cacheWrite"];

/** Counts with those that nobody reported said to be so. */
function usageField(input: JsonObject, pointer: Pointer): { readonly usage?: JsonObject } {
  if (input["usage"] === undefined) return {};
  const place = `${pointer}/usage`;
  const usage = expectObject(input["usage"], place, "an object of counts");
  checkShape(usage, usageShape, place);
  if (usage["cost"] !== undefined) checkShape(usage["cost"] as JsonObject, costShape, `${place}/cost`);
  const missing = [...buckets, "totalTokens" as const].filter((name) => usage[name] === undefined);
  if (missing.length === 0) return {};
  const counts = { ...Object.fromEntries(buckets.map((name) => [name, 0])), ...usage } as {
    readonly [C in Count]: number;
  };
  const totalTokens = usage["totalTokens"] ?? buckets.reduce((sum, name) => sum + counts[name], 0);
  const unreported = [...((usage["unreported"] as readonly Json[] | undefined) ?? []), ...missing];
  return { usage: { ...counts, totalTokens, unreported } };
}

/** Tool declarations in normal form: complete, and without anything of how the tools run. */
export function normalizeTools(value: unknown, pointer: Pointer): readonly Tool[] {
  return expectList(value, pointer, "a list of tools").map((item, index) =>
    normalizeTool(item, `${pointer}/${index}`, 0),
  );
}

function normalizeTool(value: unknown, pointer: Pointer, nesting: number): Tool {
  const input = expectObject(value, pointer, "a tool: an object with a name");
  const { constrainedSampling, ...others } = input;
  const stated =
    constrainedSampling === undefined ? input : { ...others, strict: strictOf(constrainedSampling, pointer) };
  const tool = createTool(stated as unknown as ToolInput);
  const type: string = tool.type;
  const isKnown = Object.hasOwn(toolShapes, type) && !(nesting > 0 && type !== "function" && type !== "custom");
  if (!isKnown)
    throw refuse(`${pointer}/type`, `no tool here has this type; give one of ${Object.keys(toolShapes).join(", ")}`);
  checkShape(tool as unknown as JsonObject, toolShapes[tool.type], pointer);
  checkNode(tool as unknown as JsonObject, pointer);
  if (tool.type !== "namespace") return toolDeclaration(tool);
  const tools = tool.tools.map((inner, index) => normalizeTool(inner, `${pointer}/tools/${index}`, nesting + 1));
  return toolDeclaration({ ...tool, tools } as Tool);
}

/** Whether a model must keep to the schema, as other software states it. Targets that cannot do so report it. */
function strictOf(value: Json, pointer: Pointer): boolean {
  if (value === false) return false;
  if (isJsonObject(value) && value["type"] === "json_schema") return true;
  throw refuse(
    `${pointer}/constrainedSampling`,
    'a grammar belongs to a tool of type "custom": { type: "custom", name, format: { type: "grammar", syntax, definition } }',
  );
}
