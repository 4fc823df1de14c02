/** Losses of what a response says beside its content. */
export const answers = {
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
      "The service reports counts that cannot all be true, for example more cached tokens than prompt tokens. Then the prompt count is taken as not holding them.",
  },
  "stop.approximated": {
    kind: "approximated",
    effect: "control",
    severity: "info",
    detail: 'ended with "{raw}"; sent as "{sent}"',
    explain: "The target has fewer words for why an answer ended.",
  },
  "stop.unknown": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: 'an unknown reason why the answer ended; "{sent}" sent',
    explain:
      "The service gives a reason that its protocol does not document. It stays in the IR as `rawStopReason`. Calls of such an answer are not run, because nobody knows whether it is whole.",
  },
  "stop.sequence": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "which stop sequence matched",
    explain: "The target does not say which sequence ended the answer.",
  },
  "stop.inferred": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: 'ended without a reason; taken as "{sent}"',
    explain:
      "The service gave no reason why the answer ended. All that came is whole, so the usual reason is taken; that it was missing is not told.",
  },
  "stop.repeated": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "a reason to end that a later one replaces",
    explain: "The stream says twice why it ended. The last one counts.",
  },
  "usage.not_requested": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "usage not sent, because the client did not ask for it",
    explain: "Clients of the target get usage in a stream only with `stream_options.include_usage`.",
  },
  "stream.raw": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "a stream event that only {from} knows",
    explain: "The event has no meaning outside of its own protocol and is left out of the stream.",
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
  "error.rewritten": {
    kind: "rewritten",
    effect: "evidence",
    severity: "info",
    detail: "a type or status of {from}; sent as {to} says it",
    explain: "The protocols have other words and numbers for the same failure. Clients of the target look for its own.",
  },
  "error.header": {
    kind: "dropped",
    effect: "evidence",
    severity: "info",
    detail: "a header of {from} that is not sent",
    explain:
      "Headers beside the time to wait and the id of the request have no counterpart: their names, such as those of rate limits, belong to one service. What only describes the transfer of the body is left out without a report.",
  },
} as const;
