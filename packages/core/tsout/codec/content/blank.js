/** True for a text of nothing but white space. Some services refuse it as they refuse an empty one. */
export function isBlank(text) {
    return text.trim() === "";
}
//# sourceMappingURL=blank.js.map