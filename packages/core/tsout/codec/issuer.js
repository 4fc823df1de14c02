/** The issuer as a field of opaque state, where it is known. */
export function issuedBy(provider) {
    return provider === undefined ? unknown : { provider };
}
const unknown = Object.freeze({});
//# sourceMappingURL=issuer.js.map