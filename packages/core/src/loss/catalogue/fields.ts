/** Losses of fields that only one protocol has. */
export const fields = {
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
    detail: "a stated null or empty container, which means absent",
    explain:
      "The source states null, or nothing in a container, where absence means the same. The target gets nothing.",
  },
  "field.empty": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "an empty list or object that has no place there",
    explain: "The source states a list or an object without anything in it, in a field that the target does not have.",
  },
  "field.repeated": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "says the same as another field",
    explain: "The source says one thing in two fields. The target is told once.",
  },
  "field.absent": {
    kind: "dropped",
    effect: "form",
    severity: "info",
    detail: "a field that belongs there is missing; taken as usual",
    explain:
      "The source leaves out a field that its protocol states always. It is taken as its usual value; that it was missing is not told.",
  },
  "field.precision": {
    kind: "approximated",
    effect: "content",
    severity: "warning",
    detail: "a number that is not kept exactly",
    explain:
      "The body came as text with a number that no double holds: it has too many digits, or too large an exponent. It is read as the nearest double; beyond the largest one null is sent. Send identifiers as strings.",
  },
  "field.repeated_key": {
    kind: "approximated",
    effect: "content",
    severity: "warning",
    detail: "a key that stands twice in its object; the last value is taken",
    explain:
      "The body came as text in which an object has one key several times. JSON does not say what that means; most readers, and Rolecall, take the last value. The others are gone.",
  },
  "url.missing": {
    kind: "dropped",
    effect: "control",
    severity: "warning",
    detail: "stands in the URL of {to}, which a body alone has not",
    explain:
      "The target has the model and the wish for a stream in its URL. The input is a body, and so is the result. Convert a request, {body: …}, and write its URL from what comes back; the exchange tells both as well.",
  },
  "header.beta": {
    kind: "dropped",
    effect: "control",
    severity: "info",
    detail: "API version and beta flags belong to {from}",
    explain:
      "Version and beta headers choose variants of one protocol. The features that they switch on are reported where they are used.",
  },
} as const;
