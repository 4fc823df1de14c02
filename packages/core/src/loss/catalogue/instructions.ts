/** Losses of instructions and of the order of turns. */
export const instructions = {
  "message.dropped": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "a message of which nothing can be sent",
    explain: "Nothing in this message has a place in the target, so the message itself is left out.",
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
    kind: "downgraded",
    effect: "authority",
    severity: "warning",
    detail: "an instruction within the conversation moved {place|to the front}",
    explain:
      "The target accepts instructions only before the conversation, or not at this place. It now counts from the start, or from the instruction before it, and keeps its order among the instructions. The cached prefix of earlier requests no longer matches.",
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
  "instruction.field": {
    kind: "dropped",
    effect: "authority",
    severity: "warning",
    detail: "no {field} of an instruction there",
    explain: "What an instruction applies to, and who may decide in its place, cannot be said in the target.",
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
    explain:
      "The target takes one effort for the whole request: that of the last change, where it takes any. Earlier ones are not sent.",
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
} as const;
