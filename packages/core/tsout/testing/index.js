/** Generators of conversations, answers and bodies for property tests with `fast-check`. Deterministic with a seed; what they find shrinks. */
export { arbitraryRequestBody, arbitraryResponseBody } from "./body.js";
export { arbitraryAssistantMessage } from "./conversation/assistant-message.js";
export { arbitraryConversation } from "./conversation/conversation.js";
export { arbitraryJson } from "./json.js";
export { arbitraryText } from "./text.js";
export { withUnknown } from "./unknown.js";
//# sourceMappingURL=index.js.map