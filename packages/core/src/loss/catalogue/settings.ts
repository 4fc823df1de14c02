/** Losses of reasoning, caching, formats and other settings. */
export const settings = {
  "state.foreign": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "{kind} issued by {from}, not sent to anybody else",
    explain:
      "Signatures and encrypted payloads are valid only at the service that issued them. Sending them elsewhere would be forgery.",
  },
  "state.unattributed": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "{name}, of which nobody says whose it is, not sent to anybody",
    explain:
      "A signature is valid only at the service that issued it. The message does not say which that is, or the string is not what its protocol writes. State the `api` of the message, and `provider` where known, and read it with `normalizeContext`.",
  },
  "reasoning.foreign": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "reasoning of {from} not sent; not seen by the model",
    explain:
      "Reasoning belongs to the model that produced it. The target has no field for foreign reasoning, or would reject it without a signature of its own. It is never sent as answer text. Some Chat servers take it back: set `reasoningField` in the target profile.",
  },
  "reasoning.signature": {
    kind: "synthesized",
    effect: "reasoning",
    severity: "info",
    detail: "an empty signature written, which {to} demands",
    explain:
      "The client sees the reasoning, in a block that must have a signature. The model gave none, so the block cannot be sent back to any service.",
  },
  "reasoning.unsigned": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "reasoning without a signature, which {to} rejects",
    explain: "A thinking block must carry the signature of its issuer. This one has none.",
    mends: true,
  },
  "reasoning.dangling": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "reasoning that led to nothing, which {to} rejects",
    explain: "A reasoning item must be followed by what the model did next. Nothing of the kind follows this one.",
    mends: true,
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
  "reasoning.share": {
    kind: "approximated",
    effect: "reasoning",
    severity: "info",
    detail: "{sent} thinking tokens sent for the effort, to leave room for the answer",
    explain:
      "Thinking counts toward the allowed tokens there, and these are few for the stated effort. Allow more tokens to let the model think longer.",
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
  "reasoning.shown": {
    kind: "approximated",
    effect: "reasoning",
    severity: "info",
    detail: "how reasoning is shown sent as whether it is: {sent}",
    explain: "The target lets the request choose whether reasoning text comes back, and nothing else about it.",
  },
  "reasoning.conflict": {
    kind: "dropped",
    effect: "reasoning",
    severity: "warning",
    detail: "thinking given up: {reason}",
    explain:
      "The target refuses thinking together with what else the request demands. The demand stands and thinking is left off.",
  },
  "setting.no_counterpart": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "no such setting there",
    explain: "The target, in the version and for the model asked, has no such parameter or refuses it.",
  },
  "setting.stop_blank": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "a stop sequence of white space only, which {to} refuses",
    explain:
      "The target wants something else than white space in each stop sequence. Cut the answer at this one yourself.",
  },
  "setting.conflict": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "not taken by this model together with {other}, which is sent",
    explain: "The model takes one of both settings and refuses the pair.",
  },
  "setting.clamped": {
    kind: "approximated",
    effect: "control",
    severity: "warning",
    detail: "value {sent} sent, the nearest that {to} accepts",
    explain: "The target accepts a smaller range.",
  },
  "setting.identifier": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "an identifier too long for {to}; a stand-in is sent",
    explain:
      "The target takes 64 characters. What is sent instead depends on the identifier alone, so it is the same in each request and tells users or prompts apart as before.",
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
    detail: "a cache mark {fate|that cannot stand here}",
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
    mends: true,
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
  "format.unenforceable": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "structured output given up: {to} cannot enforce this schema",
    explain:
      "The target enforces a subset of JSON Schema: closed objects, and references within the schema. This one is outside of it, or closing its objects would forbid what it allows (a map of any names, an object described in several places). Ask for JSON in an instruction, or name the properties in one place.",
  },
  "format.name": {
    kind: "synthesized",
    effect: "form",
    severity: "info",
    detail: "a name for the schema made up, which {to} demands",
    explain: "The target wants a name for the output schema.",
  },
  "profile.unverified": {
    kind: "unverified",
    effect: "control",
    severity: "info",
    detail: "sent, but nobody knows whether this server honours it",
    explain:
      "What the server makes of it is not known: one that does not support it ignores it or refuses the request. State what it does in the target profile.",
  },
} as const;
