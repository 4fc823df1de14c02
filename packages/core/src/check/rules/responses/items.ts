import { isOpenAi } from "../../../codec/profile.ts";
import { scalarText } from "../../../codec/table.ts";
import type { Json, JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, objectsOf, partsOf, repeated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";
import { answers, goesOn, isOfModel, itemsOf, outputs } from "./reading.ts";

/** The key under which calls and their answers meet. Local shell calls are answered under their id. */
const idOf = ({ object }: Placed): string => scalarText(object["call_id"] ?? object["id"]);

const isReferred = (items: readonly Placed[]): boolean =>
  items.some(({ object }) => object["type"] === "item_reference");

/** Calls that no later item answers, and answers that no earlier call has. Of other kinds of calls only the ids are known. */
function unpaired(request: RequestView): { readonly calls: readonly Pointer[]; readonly results: readonly Pointer[] } {
  const open = new Map<string, Pointer>();
  const others = new Set<string>();
  const results: Pointer[] = [];
  for (const item of itemsOf(request)) {
    const type = scalarText(item.object["type"]);
    if (Object.hasOwn(outputs, type)) open.set(idOf(item), item.path);
    else if (!answers.has(type)) others.add(idOf(item));
    else if (!open.delete(idOf(item)) && !others.has(idOf(item))) results.push(item.path);
  }
  return { calls: [...open.values()], results };
}

/** Parts of messages of a role that another role has. */
function foreignParts(request: RequestView, ofAssistant: boolean): readonly Placed[] {
  const known = ofAssistant ? ["input_text", "input_image", "input_file"] : ["output_text", "refusal"];
  return itemsOf(request)
    .filter(({ object: { type, role } }) => (type === undefined || type === "message") && isStated(role))
    .filter(({ object: { role } }) => (role === "assistant") === ofAssistant)
    .flatMap(partsOf)
    .filter(({ object }) => known.includes(scalarText(object["type"])));
}

/** Files of all messages and results. */
const filesOf = (request: RequestView): readonly Placed[] =>
  itemsOf(request)
    .flatMap((item) => [...partsOf(item), ...objectsOf(item.object["output"], `${item.path}/output`)])
    .filter(({ object }) => object["type"] === "input_file");

/** The key of a file that says by its media type, or by the end of its address, that it is a sound. */
function soundIn({ file_data: data, file_url: url }: JsonObject): string | undefined {
  if (typeof data === "string" && /^data:audio\//i.test(data)) return "file_data";
  return typeof url === "string" && /\.(?:mp3|wav|ogg|oga|flac|m4a|aac|opus)(?:[?#]|$)/i.test(url)
    ? "file_url"
    : undefined;
}

/** The items of a conversation. */
export const responsesItemRules: readonly Rule<RequestView>[] = [
  {
    id: "R1a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/bytedance/trae-agent/issues/245; https://github.com/symgraph/GhidrAssist/issues/78",
    description: "Each call that the client answers has its output later in the input, or in the stored conversation.",
    check: (request, flag) => {
      if (goesOn(request)) return;
      for (const path of unpaired(request).calls)
        flag(path, "the call has no output: put its output behind it, or write one that says so");
    },
  },
  {
    id: "R1b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/microsoft/vscode/issues/320060; https://github.com/leookun/cursor-byok/issues/307",
    description:
      "Each output has its call earlier in the input, or in the stored conversation, and each call one output.",
    check: (request, flag) => {
      if (goesOn(request) || isReferred(itemsOf(request))) return;
      for (const path of unpaired(request).results)
        flag(`${path}/call_id`, "no earlier call has this id: leave the output out, or put it behind its call");
    },
  },
  {
    id: "R2a",
    severity: "error",
    evidence: "openapi",
    source: "github.com/openai/openai-openapi, FunctionToolCall.call_id, minLength and maxLength",
    description: "Ids of calls have 1 to 64 characters.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request)) {
        const id = object["call_id"];
        if (typeof id === "string" && (id.length === 0 || id.length > 64))
          flag(`${path}/call_id`, `${id.length} characters: write 1 to 64, in call and output alike`);
      }
    },
  },
  {
    id: "R2b",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "No two items have the same id.",
    check: (request, flag) => {
      const own = itemsOf(request).filter(({ object }) => object["type"] !== "item_reference");
      for (const { path } of repeated(own, ({ object }) =>
        typeof object["id"] === "string" ? object["id"] : undefined,
      ))
        flag(`${path}/id`, "an earlier item has this id: leave one of them out");
    },
  },
  {
    id: "R3",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/vercel/ai/issues/7099; https://github.com/continuedev/continue/issues/11994",
    description: "A reasoning item is followed directly by what the model did next.",
    check: (request, flag) => {
      const items = itemsOf(request);
      items.forEach((item, index) => {
        const next = items[index + 1];
        if (item.object["type"] === "reasoning" && (next === undefined || !isOfModel(next)))
          flag(item.path, "what it led to does not follow: send both, or leave the reasoning out");
      });
    },
  },
  {
    id: "R4a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/vercel/ai/issues/7543",
    description: "Where nothing is stored, a reasoning item has its encrypted content.",
    check: (request, flag) => {
      if (request.body["store"] !== false) return;
      for (const { object, path } of itemsOf(request))
        if (object["type"] === "reasoning" && !isStated(object["encrypted_content"]))
          flag(path, "nothing is stored: ask for reasoning.encrypted_content and send it, or leave the reasoning out");
    },
  },
  {
    id: "R4b",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/vercel/ai/issues/7543",
    description: "Where nothing is stored, nothing refers to a stored item.",
    check: (request, flag) => {
      if (request.body["store"] !== false) return;
      for (const { object, path } of itemsOf(request))
        if (object["type"] === "item_reference") flag(path, "nothing is stored: send the item itself");
    },
  },
  {
    id: "R8",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseCompactionTriggerItem",
    description: "A `compaction_trigger` is the last item.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request).slice(0, -1))
        if (object["type"] === "compaction_trigger") flag(path, "move it to the end of the input");
    },
  },
  {
    id: "R9",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, AdditionalTools.role",
    description: "`additional_tools` have the role `developer`, where they state one.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request))
        if (object["type"] === "additional_tools" && isStated(object["role"]) && object["role"] !== "developer")
          flag(`${path}/role`, "write developer");
    },
  },
  {
    id: "R10",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "An `mcp_approval_response` answers a request for approval.",
    check: (request, flag) => {
      if (goesOn(request)) return;
      const asked = new Set<Json | undefined>();
      for (const { object, path } of itemsOf(request)) {
        const { type, id, approval_request_id: answered } = object;
        if (type === "mcp_approval_request") asked.add(id);
        if (type === "mcp_approval_response" && !asked.has(answered))
          flag(`${path}/approval_request_id`, "no earlier request has this id: leave the answer out");
      }
    },
  },
  {
    id: "R13a",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseOutputMessage.content",
    description: "Messages of the assistant hold parts of type `output_text` and `refusal`.",
    check: (request, flag) => {
      for (const { path } of foreignParts(request, true)) flag(`${path}/type`, "write output_text");
    },
  },
  {
    id: "R13b",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseInputMessageContentList",
    description: "Messages of every other role hold parts of type `input_text`, `input_image` and `input_file`.",
    check: (request, flag) => {
      for (const { path } of foreignParts(request, false)) flag(`${path}/type`, "write input_text");
    },
  },
  {
    id: "R22",
    severity: "error",
    evidence: "recording",
    source: 'recorded answers: "unsupported MIME type \'audio/mpeg\'", "The file type you uploaded is not supported"',
    description: "OpenAI: files are no sounds.",
    check: (request, flag) => {
      if (!isOpenAi(request.profile)) return;
      for (const { object, path } of filesOf(request)) {
        const key = soundIn(object);
        if (key !== undefined) flag(`${path}/${key}`, "the API takes no sound: send its transcript");
      }
    },
  },
  {
    id: "R21",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseFunctionToolCall.arguments",
    description: "The arguments of a function call are text.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request))
        if (object["type"] === "function_call" && isJsonObject(object["arguments"]))
          flag(`${path}/arguments`, "write the arguments as JSON text");
    },
  },
];
