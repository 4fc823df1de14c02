/** Generators of conversations, answers and bodies for property tests with `fast-check`. Deterministic with a seed; what they find shrinks. */
export { arbitraryRequestBody, arbitraryResponseBody, type BodyProtocol } from "./body.ts";
export { arbitraryJson } from "./json.ts";
export { arbitraryText } from "./text.ts";
export { withUnknown } from "./unknown.ts";
