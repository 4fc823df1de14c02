import type { LossEffect, LossKind, LossSeverity } from "../ir/index.ts";

export interface LossDefinition {
  /** The kind unless the place says otherwise. */
  readonly kind: LossKind;
  readonly effect: LossEffect;
  readonly severity: LossSeverity;
  /** One line without any content; `{name}` is filled with protocol words and numbers only. */
  readonly detail: string;
  /** For a person who asks: why it happens and what can be done. */
  readonly explain: string;
}

/** Every loss that Rolecall can report. Closed: a code that is not here does not compile. */
export const lossCatalogue = {
  "field.no_counterpart": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "no field for it in {to}",
    explain:
      "The request or response carries a field that the target protocol has no place for, or a value of a known field that is not in its documented set. It is not sent.",
  },
  "field.null": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "a stated null, which means absent",
    explain: "The source states null where absence means the same. The target gets nothing.",
  },
  "header.beta": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "API version and beta flags belong to {from}",
    explain:
      "Version and beta headers choose variants of one protocol. The features that they switch on are reported where they are used.",
  },
  "part.opaque": {
    kind: "dropped",
    effect: "content",
    severity: "warning",
    detail: "a {slot} that only {from} knows",
    explain:
      "The source holds a block that has no meaning outside its own protocol. It is kept in the IR and returns to its own protocol, but the target does not see it.",
  },
  "state.foreign": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "{kind} issued by {from}, not sent to anybody else",
    explain:
      "Signatures and encrypted payloads are valid only at the service that issued them. Sending them elsewhere would be forgery.",
  },
  "reasoning.foreign": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "reasoning of {from} not sent; not seen by the model",
    explain:
      "Reasoning belongs to the model that produced it. The target has no field for foreign reasoning, or would reject it without a signature of its own. It is never sent as answer text. Some Chat servers take it back: set `reasoningField` in the target profile.",
  },
  "reasoning.unsigned": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "reasoning without a signature, which {to} rejects",
    explain: "A thinking block must carry the signature of its issuer. This one has none.",
  },
  "reasoning.mode": {
    kind: "dropped",
    effect: "reasoning",
    severity: "info",
    detail: 'no thinking mode "{mode}" there',
    explain: "The target has no such mode of reasoning. Effort, where stated, is sent.",
  },
  "reasoning.effort": {
    kind: "approximated",
    effect: "reasoning",
    severity: "info",
    detail: 'effort "{effort}" sent as "{sent}"',
    explain: "The target's scale of effort has other steps.",
  },
  "reasoning.budget": {
    kind: "approximated",
    effect: "reasoning",
    severity: "warning",
    detail: 'a budget of thinking tokens sent as effort "{sent}"',
    explain: "The target takes an effort word instead of a number of tokens.",
  },
  "reasoning.budget_dropped": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "no budget of thinking tokens there",
    explain: "The target takes no number of thinking tokens, or chooses it by the effort that is sent.",
  },
  "reasoning.effort_dropped": {
    kind: "dropped",
    effect: "reasoning",
    severity: "info",
    detail: "no effort beside thinking that is switched off",
    explain: "The target says effort and the absence of reasoning in one word; the absence is sent.",
  },
  "reasoning.synthesized": {
    kind: "synthesized",
    effect: "reasoning",
    severity: "info",
    detail: 'thinking switched on as "{sent}" for the stated effort',
    explain: "In the source protocol effort alone means that the model reasons; the target wants it switched on.",
  },
  "reasoning.display": {
    kind: "dropped",
    effect: "reasoning",
    severity: "info",
    detail: "no choice of how reasoning is shown",
    explain: "The target does not let the request choose whether and how reasoning text comes back.",
  },
  "reasoning.conflict": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "thinking given up: {reason}",
    explain:
      "The target refuses thinking together with what else the request demands. The demand stands and thinking is left off.",
  },
  "instruction.authority": {
    kind: "merged",
    effect: "authority",
    severity: "warning",
    detail: "{authority} authority sent as {sent}",
    explain:
      "The target has fewer levels of authority. The order of the instructions is kept, their difference in rank is not.",
  },
  "instruction.moved": {
    kind: "rewritten",
    effect: "authority",
    severity: "warning",
    detail: "an instruction within the conversation moved to the front",
    explain:
      "The target accepts instructions only before the conversation, or not at this place. It now counts from the start, and the cached prefix of earlier requests no longer matches.",
  },
  "instruction.deferred": {
    kind: "rewritten",
    effect: "authority",
    severity: "info",
    detail: "an instruction placed after the user turn that follows it",
    explain: "The target takes instructions within the conversation only directly before a turn of the model.",
  },
  "instruction.lowered": {
    kind: "downgraded",
    effect: "authority",
    severity: "warning",
    detail: "an instruction sent as a user turn",
    explain:
      "The target needs a user turn and the request has none. The instruction is sent as one, with the authority of a user.",
  },
  "instruction.lifetime": {
    kind: "dropped",
    effect: "authority",
    severity: "warning",
    detail: "no end for an instruction there",
    explain: "The instruction was to hold for a limited time. The target cannot say so; it holds until the end.",
  },
  "instruction.sections": {
    kind: "approximated",
    effect: "form",
    severity: "info",
    detail: "named sections sent as plain text",
    explain: "No protocol has named sections. Their text is sent, their names stay in the IR.",
  },
  "instruction.effort": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "a change of effort within the conversation",
    explain: "The target takes one effort for the whole request.",
  },
  "instruction.media": {
    kind: "dropped",
    effect: "content",
    severity: "error",
    detail: "media in an instruction",
    explain: "Instructions of the target hold text only.",
  },
  "turn.merged": {
    kind: "merged",
    effect: "form",
    severity: "info",
    detail: "neighbouring turns of one role sent as one",
    explain: "The target joins neighbouring turns of the same role. Each keeps its own parts.",
  },
  "turn.moved": {
    kind: "rewritten",
    effect: "form",
    severity: "info",
    detail: "moved after the tool results of its turn",
    explain: "The target wants tool results directly after the calls. Text between them follows after the last one.",
  },
  "turn.order": {
    kind: "merged",
    effect: "form",
    severity: "info",
    detail: "text and calls of one turn lose their order",
    explain:
      "The target keeps the text of a turn apart from its calls. What the model said after a call now stands before it.",
  },
  "turn.first_user": {
    kind: "synthesized",
    effect: "form",
    severity: "warning",
    detail: "a user turn put first, which {to} demands",
    explain: "The conversation starts with the model. The target wants a user turn first.",
  },
  "turn.prefill": {
    kind: "downgraded",
    effect: "control",
    severity: "warning",
    detail: "a started answer that the model cannot continue; a user turn asks for it",
    explain:
      "The request ends in a turn of the model, to be continued. This model refuses that, so a user turn that asks to continue follows it.",
  },
  "turn.empty": {
    kind: "approximated",
    effect: "form",
    severity: "info",
    detail: "a turn without content left out",
    explain: "The target refuses turns without content.",
  },
  "message.name": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "no name of a participant there",
    explain: "The target has no field for the name of a speaker.",
  },
  "text.empty": {
    kind: "approximated",
    effect: "form",
    severity: "info",
    detail: "an empty text left out",
    explain: "The target refuses empty text blocks.",
  },
  "text.joined": {
    kind: "merged",
    effect: "form",
    severity: "info",
    detail: "text blocks of one turn joined",
    explain: "The target has one text per turn. The blocks follow each other without a break.",
  },
  "text.phase": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "no phase of an answer there",
    explain: "Whether a text is commentary or the final answer cannot be said in the target.",
  },
  "text.trailing_whitespace": {
    kind: "rewritten",
    effect: "form",
    severity: "info",
    detail: "trailing white space cut off a started answer",
    explain: "The target refuses a last assistant text that ends in white space.",
  },
  "text.lone_surrogate": {
    kind: "rewritten",
    effect: "content",
    severity: "info",
    detail: "half of a surrogate pair replaced by U+FFFD",
    explain: "Half of a surrogate pair is no character and many servers refuse it. Valid pairs are untouched.",
  },
  "refusal.text": {
    kind: "approximated",
    effect: "content",
    severity: "info",
    detail: "a refusal sent as {sent}",
    explain: "The target has no part for the text of a refusal at this place.",
  },
  "refusal.detail": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no category of a refusal there",
    explain: "The target does not say why an answer was refused.",
  },
  "media.unsupported": {
    kind: "dropped",
    effect: "content",
    severity: "error",
    detail: "{type} as {source} not sent",
    explain: "The target cannot take this kind of media in this form. Convert it first, or choose another target.",
  },
  "media.moved": {
    kind: "downgraded",
    effect: "content",
    severity: "warning",
    detail: "{type} moved out of a tool result into the user turn after it",
    explain: "Tool results of the target hold text only. The media follows in a user turn that names the call.",
  },
  "media.type": {
    kind: "rewritten",
    effect: "form",
    severity: "info",
    detail: "media type written in its registered spelling",
    explain: "The source uses an alias of a registered media type, which the target refuses.",
  },
  "media.detail": {
    kind: "dropped",
    effect: "cost",
    severity: "info",
    detail: "no level of detail of an image there",
    explain: "The target chooses the resolution by itself.",
  },
  "document.text": {
    kind: "downgraded",
    effect: "content",
    severity: "warning",
    detail: "a document sent as plain text",
    explain: "The target has no document of this form. Its text is sent, with its title as a heading.",
  },
  "document.field": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no {field} of a document there",
    explain: "The target's documents have fewer fields.",
  },
  "document.name": {
    kind: "synthesized",
    effect: "form",
    severity: "info",
    detail: "a file name made up, which {to} demands",
    explain: "The target wants a file name and the source has none.",
  },
  "tool.name": {
    kind: "rewritten",
    effect: "form",
    severity: "info",
    detail: "name changed to what {to} accepts; answers come back under the old name",
    explain:
      "The target restricts the names of tools. The new name is derived from the old one and the same everywhere in the request.",
  },
  "tool.id": {
    kind: "rewritten",
    effect: "form",
    severity: "info",
    detail: "call id changed to what {to} accepts",
    explain: "The target restricts call ids, or the id was used twice. Call and result keep pointing at each other.",
  },
  "tool.strict": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "no enforcement of tool schemas there",
    explain: "The target does not promise that arguments match the schema. Validate them.",
  },
  "tool.field": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "no {field} of a tool there",
    explain: "The target's tool declarations have fewer fields.",
  },
  "tool.parameters": {
    kind: "synthesized",
    effect: "form",
    severity: "info",
    detail: "an empty schema written, which {to} demands",
    explain: "The target wants a schema for each tool.",
  },
  "tool.schema": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "schema keyword {keyword} not enforced; told in the description",
    explain: "The target enforces a subset of JSON Schema. What is outside of it is written into the description.",
  },
  "tool.custom": {
    kind: "downgraded",
    effect: "execution",
    severity: "warning",
    detail: "a free-text tool sent as a function with one text argument",
    explain: "The target has no free-text tools. A grammar is described, not enforced. Calls come back as free text.",
  },
  "tool.namespace": {
    kind: "downgraded",
    effect: "form",
    severity: "info",
    detail: "tools of a namespace sent under prefixed names",
    explain: "The target has no namespaces. Calls come back under their own names.",
  },
  "tool.server": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "a tool that {from} runs by itself; not available there",
    explain: "Hosted tools exist at one service only. Offer a tool of your own if the model needs it.",
  },
  "tool.added": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "a tool added within the conversation sent as if from the start",
    explain:
      "The target takes tools only with the request. The tool is available from the start, and the cached prefix of earlier requests no longer matches.",
  },
  "tool.removed": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "a tool withdrawn within the conversation not sent at all",
    explain: "The target takes tools only with the request. The tool is not declared; the history may still call it.",
  },
  "tool.reference": {
    kind: "dropped",
    effect: "execution",
    severity: "info",
    detail: "a deferred tool is loaded here; the target has it from the start",
    explain: "The target has no deferred tools. All are declared with the request.",
  },
  "tool.removed_unknown": {
    kind: "dropped",
    effect: "execution",
    severity: "info",
    detail: "withdrawal of a tool that is not declared",
    explain: "The conversation withdraws a tool that was never declared. There is nothing to withdraw.",
  },
  "tool_call.arguments": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "arguments are not a JSON object; sent as a marked object",
    explain:
      "The model wrote arguments that are no JSON object, or they were cut. The target takes objects only. The text is sent under a marker and is never repaired.",
  },
  "tool_call.precision": {
    kind: "approximated",
    effect: "content",
    severity: "warning",
    detail: "a number or a repeated key of the arguments is not kept exactly",
    explain:
      "The source carries arguments as text. As an object, numbers beyond 53 bits are rounded and of a repeated key only the last value is left.",
  },
  "tool_call.shape": {
    kind: "rewritten",
    effect: "form",
    severity: "warning",
    detail: "arguments came as an object where {from} says text",
    explain:
      "The server does not keep to its protocol. The arguments are taken as they are and written as the protocol demands.",
  },
  "tool_call.caller": {
    kind: "dropped",
    effect: "execution",
    severity: "info",
    detail: "no caller of a call there",
    explain: "Whether the model itself or code on the server made the call cannot be said in the target.",
  },
  "tool_result.error_flag": {
    kind: "approximated",
    effect: "content",
    severity: "warning",
    detail: 'no error flag there; sent as {"error": …}',
    explain: "The target cannot mark a result as failed. The text is wrapped so that the model still sees the failure.",
  },
  "tool_result.orphan": {
    kind: "dropped",
    effect: "content",
    severity: "warning",
    detail: "a result without a call",
    explain:
      "No call before this place has the result's id. The target refuses such results, and as user text it would become an instruction.",
  },
  "tool_result.missing": {
    kind: "synthesized",
    effect: "content",
    severity: "warning",
    detail: "a call without a result answered by an error result",
    explain: "The target demands a result for each call. The call was not answered before the conversation went on.",
  },
  "tool_result.moved": {
    kind: "rewritten",
    effect: "form",
    severity: "warning",
    detail: "a result moved to its call",
    explain: "The target wants results directly after their calls.",
  },
  "tool_result.value": {
    kind: "approximated",
    effect: "form",
    severity: "info",
    detail: "a result object sent as its JSON text",
    explain: "The target's results are text or blocks.",
  },
  "tool_result.part": {
    kind: "dropped",
    effect: "content",
    severity: "warning",
    detail: "a {type} in a result has no place there",
    explain: "Results of the target hold fewer kinds of parts.",
  },
  "tool_choice.subset": {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: "an allowed subset of tools sent as the only tools",
    explain:
      "The target cannot restrict the choice, so only the allowed tools are declared. The cached prefix of earlier requests no longer matches.",
  },
  "tool_choice.unknown": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "the forced tool is not declared",
    explain: "The request forces a tool that it does not declare, or that the target cannot have.",
  },
  "setting.no_counterpart": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "no such setting there",
    explain: "The target, in the version and for the model asked, has no such parameter or refuses it.",
  },
  "setting.clamped": {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: "value {sent} sent, the nearest that {to} accepts",
    explain: "The target accepts a smaller range.",
  },
  "setting.synthesized": {
    kind: "synthesized",
    effect: "control",
    severity: "info",
    detail: "{sent} written, which {to} demands",
    explain: "The target demands a value and the source states none.",
  },
  "setting.approximated": {
    kind: "approximated",
    effect: "control",
    severity: "info",
    detail: 'sent as "{sent}"',
    explain: "The target has a near equivalent with other words.",
  },
  "cache.mark": {
    kind: "dropped",
    effect: "cost",
    severity: "info",
    detail: "a cache mark that cannot stand here",
    explain:
      "The target takes no cache mark at this place, or none at all. Its own caching may still work; the bill may be higher.",
  },
  "cache.ttl": {
    kind: "approximated",
    effect: "cost",
    severity: "info",
    detail: "cached for {sent}",
    explain: "The target offers other times to live.",
  },
  "cache.limit": {
    kind: "dropped",
    effect: "cost",
    severity: "info",
    detail: "more cache marks than {to} accepts",
    explain:
      "The target accepts a limited number of marks. The last ones are kept, because they cover the longest prefix.",
  },
  "cache.setting": {
    kind: "dropped",
    effect: "cost",
    severity: "info",
    detail: "no such cache setting there",
    explain: "The target steers its cache in another way, or not at all.",
  },
  "cache.prefix_changed": {
    kind: "rewritten",
    effect: "cost",
    severity: "info",
    detail: "what was sent before this place is no longer a prefix",
    explain:
      "An earlier request of this conversation was encoded differently up to here. Caches and reasoning bound to the prefix do not match.",
  },
  "server_tool.record": {
    kind: "dropped",
    effect: "content",
    severity: "warning",
    detail: "the record of a tool that {from} ran",
    explain:
      "What a hosted tool did and found is kept in a form only its service accepts. The target's model does not see it.",
  },
  "citation.foreign": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "a citation that has no place there",
    explain: "The target has no such citation at this place, or demands a token that only its own search can issue.",
  },
  "citation.span": {
    kind: "approximated",
    effect: "evidence",
    severity: "info",
    detail: "a citation of a whole text block sent with its offsets",
    explain: "The source cites a block of text, the target a range of characters.",
  },
  "citation.field": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no {field} of a citation there",
    explain: "The target's citations have fewer fields.",
  },
  "format.field": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "no {field} of an output format there",
    explain: "The target's structured output has fewer fields.",
  },
  "format.json": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "no JSON mode without a schema there",
    explain: "The target enforces JSON only with a schema. Ask for JSON in an instruction, or give a schema.",
  },
  "format.enforcement": {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: "the schema is sent but not enforced",
    explain:
      "The source enforces its output schema. The target enforces a smaller set of schemas, and this one is outside of it. Validate the answer.",
  },
  "format.name": {
    kind: "synthesized",
    effect: "form",
    severity: "info",
    detail: "a name for the schema made up, which {to} demands",
    explain: "The target wants a name for the output schema.",
  },
  "usage.detail": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no such count there",
    explain: "The target's usage has fewer counts. The numbers stay in the IR.",
  },
  "usage.synthesized": {
    kind: "synthesized",
    effect: "evidence",
    severity: "info",
    detail: "counts of zero written, because {to} demands some",
    explain: "The service reported no usage. The zeros are not a measurement.",
  },
  "usage.inconsistent": {
    kind: "approximated",
    effect: "evidence",
    severity: "warning",
    detail: "counts that contradict each other",
    explain:
      "The service reports counts that cannot all be true, for example more cached tokens than prompt tokens. Differences below zero are written as zero.",
  },
  "stop.approximated": {
    kind: "approximated",
    effect: "control",
    severity: "info",
    detail: 'ended with "{raw}"; sent as "{sent}"',
    explain: "The target has fewer words for why an answer ended.",
  },
  "stop.sequence": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "which stop sequence matched",
    explain: "The target does not say which sequence ended the answer.",
  },
  "response.alternatives": {
    kind: "dropped",
    effect: "content",
    severity: "error",
    detail: "a further candidate of the answer",
    explain: "The target has one answer per response. The first is given.",
  },
  "response.time": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no time of creation there",
    explain: "The target's response has no time stamp.",
  },
  "response.error": {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: 'a failed answer; sent as "{sent}"',
    explain: "The target has no stop reason for a failed answer.",
  },
  "error.field": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "no such field in an error of {to}",
    explain: "The target's error envelope has fewer fields.",
  },
  "profile.unverified": {
    kind: "unverified",
    effect: "control",
    severity: "info",
    detail: "sent, but nobody knows whether this server honours it",
    explain: "What the server supports is not known. State it in the target profile.",
  },
} as const;

export type LossCode = keyof typeof lossCatalogue;

/** The definition of a code, or undefined for a text that is no code. */
export function lossDefinition(code: string): LossDefinition | undefined {
  const definitions: { readonly [code: string]: LossDefinition } = lossCatalogue;
  return Object.hasOwn(definitions, code) ? definitions[code] : undefined;
}
