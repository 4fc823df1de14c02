/** Losses of tools, calls, results and the choice among them. */
export const tools = {
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
  "tool.duplicate": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "a second tool of the same name",
    explain: "The name of a tool is declared twice, which services refuse. The first declaration is sent.",
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
    detail: "{keyword} of a schema not enforced; told in the description",
    explain: "The target enforces a subset of JSON Schema. What is outside of it is written into the description.",
  },
  "schema.closed": {
    kind: "approximated",
    effect: "execution",
    severity: "info",
    detail: "an object that says nothing of further properties sent as one that admits none",
    explain: "The target enforces closed objects only. The named properties are what the model can write.",
  },
  "schema.one_of": {
    kind: "approximated",
    effect: "execution",
    severity: "info",
    detail: "oneOf of a schema sent as anyOf",
    explain: "The target enforces that an alternative matches, but not that only one does. Validate the value.",
  },
  "schema.type": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: 'the type of a tool\'s parameters sent as "object", the only one that {to} takes',
    explain: "Calls carry an object of arguments. Another type, or a choice of types, is refused by the target.",
  },
  "schema.unenforceable": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "strict given up: the schema is sent, but {to} cannot enforce it",
    explain:
      "The target enforces a subset of JSON Schema: closed objects, and references within the schema. This one is outside of it, or closing its objects would forbid what it allows (a map of any names, an object described in several places), so it is sent as it is. Validate the arguments.",
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
      "The model wrote arguments that are no JSON object, were cut, or nest deeper than a body may. The target takes objects only. The text is sent under a marker and is never repaired.",
  },
  "tool_call.cut": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "arguments ended before they were a JSON object; the end of the stream says so",
    explain:
      "A stream sends arguments as they come, so that they were out when the call ended without being a whole JSON object. Clients complete such text. Where the reason to end says that the answer was cut, it is kept; else the stream ends in an error before the call does, so that nobody runs it.",
  },
  "tool_call.precision": {
    kind: "approximated",
    effect: "content",
    severity: "warning",
    detail: "a number or a repeated key of the arguments is not kept exactly",
    explain:
      "The source carries arguments as text. As an object, numbers beyond 53 bits are rounded and of a repeated key only the last value is left.",
  },
  "tool_call.kind": {
    kind: "downgraded",
    effect: "execution",
    severity: "warning",
    detail: "a {kind} call sent as a call of a function",
    explain: "The target has calls of functions only. What the call was for another service is not told.",
  },
  "tool_call.shape": {
    kind: "rewritten",
    effect: "form",
    severity: "warning",
    detail: "arguments came as an object where {from} says text",
    explain:
      "The server does not keep to its protocol. The arguments are taken as they are and written as the protocol demands.",
    mends: true,
  },
  "tool_call.index": {
    kind: "rewritten",
    effect: "execution",
    severity: "warning",
    detail: "an index of a stream used again with another id; taken as a new call",
    explain:
      "The server does not keep to its protocol: an index belongs to one call. A new id is taken as a new call, so that the arguments of two calls are not joined.",
  },
  "tool_call.orphan": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "a piece of arguments under an unknown index; taken for the only open call",
    explain:
      "The server does not keep to its protocol: the index was never started. Only one call is open, so the piece continues it. With two open calls the stream ends in an error.",
  },
  "tool_call.late": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "a piece of arguments that were complete before",
    explain:
      "The arguments of this call were a whole JSON object, and another part had begun. What came later is left out.",
  },
  "tool_call.free_text": {
    kind: "approximated",
    effect: "execution",
    severity: "warning",
    detail: "arguments of a free-text tool are not its one text; given as text",
    explain:
      "The tool takes free text and went out as a function with one text argument `input`. The model wrote other arguments: the call gets the text of `input`, or where there is none the arguments as they were written.",
  },
  "tool_call.name": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "another name for a call that has begun",
    explain:
      "The server gives a call a further name after the first of its arguments. Pieces of a name that come before are joined. The call keeps the name that it began with.",
  },
  "tool_call.replaced": {
    kind: "dropped",
    effect: "execution",
    severity: "warning",
    detail: "arguments that a call began with; later pieces replace them",
    explain:
      "The call began with arguments, and others came in pieces. The official client takes the pieces alone, and so does this conversion.",
  },
  "tool_call.single": {
    kind: "dropped",
    effect: "execution",
    severity: "error",
    detail: "a further call; the client's deprecated form has room for one",
    explain:
      "The request declared the deprecated `functions`, so its client reads `function_call`, which holds one call. Only the first is given. Declare `tools`, or ask for one call at a time.",
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
  "tool_result.order": {
    kind: "merged",
    effect: "form",
    severity: "info",
    detail: "text and media of a result lose their order",
    explain:
      "The target keeps the text of a result apart from its media. What stood behind an image now stands before it.",
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
    detail: "the chosen tool is not declared",
    explain: "The request chooses or forces a tool that it does not declare, or that the target cannot have.",
  },
  "tool_choice.idle": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "a choice that forces nothing, where no tool is declared",
    explain:
      "Without tools there is nothing to choose: the model calls none, with the choice or without it. The target refuses a choice without tools.",
  },
} as const;
