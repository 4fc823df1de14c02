/** Generators of conversations, answers and bodies for property tests with `fast-check`. Deterministic with a seed; what they find shrinks. */
export { arbitraryRequestBody, arbitraryResponseBody, type BodyProtocol } from "./body.ts";
export { arbitraryAssistantMessage } from "./conversation/assistant-message.ts";
export { arbitraryConversation } from "./conversation/conversation.ts";
export { arbitraryJson } from "./json.ts";
export { arbitraryText } from "./text.ts";
export { withUnknown } from "./unknown.ts";
