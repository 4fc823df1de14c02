import type { Json } from "../../../ir/index.ts";
import type { RequestView } from "../../request-view.ts";
import { isStated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";
import { goesOn, isOfModel, itemsOf } from "./reading.ts";

/** What the model gave in earlier answers, and goes back to it. */
export const responsesReplayRules: readonly Rule<RequestView>[] = [
  {
    id: "R5",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it: what a stream says of an item when it begins is not final",
    description: "Encrypted content is that of the finished item.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request))
        if (isStated(object["encrypted_content"]) && object["status"] === "in_progress")
          flag(`${path}/encrypted_content`, "the item was not finished: take it from response.output_item.done");
    },
  },
  {
    id: "R11a",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseInputItem.Program.fingerprint: must be round-tripped",
    description: "A program has its fingerprint.",
    check: (request, flag) => {
      for (const { object, path } of itemsOf(request))
        if (object["type"] === "program" && (typeof object["fingerprint"] !== "string" || object["fingerprint"] === ""))
          flag(path, "send the fingerprint back that came with the program");
    },
  },
  {
    id: "R11b",
    severity: "warning",
    evidence: "types",
    source: "openai 7.59.0, ResponseInputItem.ProgramOutput.call_id, ResponseFunctionToolCall.Program.caller_id",
    description: "The output and the calls of a program name one that stands earlier in the input.",
    check: (request, flag) => {
      if (goesOn(request)) return;
      const programs = new Set<Json | undefined>();
      for (const { object, path } of itemsOf(request)) {
        const { type, call_id: id, caller } = object;
        if (type === "item_reference") return;
        if (type === "program") programs.add(id);
        if (type === "program_output" && !programs.has(id))
          flag(`${path}/call_id`, "no earlier program has this id: send the program too, or leave its output out");
        const { type: kind, caller_id: program } = Object(caller) as { readonly [key: string]: Json | undefined };
        if (kind === "program" && !programs.has(program))
          flag(`${path}/caller/caller_id`, "no earlier program has this id: send the program too");
      }
    },
  },
  {
    id: "R14",
    severity: "warning",
    evidence: "types",
    source: "openai 7.59.0, ResponseOutputMessage.phase: preserve and resend phase on all assistant messages",
    description: "Where messages of the assistant state their phase, all of them do.",
    check: (request, flag) => {
      const turns = itemsOf(request).filter(({ object: { type, role } }) => isMessage(type) && role === "assistant");
      if (!turns.some(({ object }) => isStated(object["phase"]))) return;
      for (const { object, path } of turns)
        if (!isStated(object["phase"])) flag(path, "send the phase back that came with the message");
    },
  },
  {
    id: "R15",
    severity: "warning",
    evidence: "documentation",
    source: "Open Responses specification, items: an incomplete item is the last one of its response",
    description: "Nothing of the same answer follows what the model broke off.",
    check: (request, flag) => {
      const items = itemsOf(request);
      items.forEach((item, index) => {
        const next = items[index + 1];
        if (item.object["status"] === "incomplete" && isOfModel(item) && next !== undefined && isOfModel(next))
          flag(`${item.path}/status`, "leave out what follows, up to the next turn, or the item itself");
      });
    },
  },
];

const isMessage = (type: Json | undefined): boolean => type === undefined || type === "message";
