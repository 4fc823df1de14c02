/** The issuer as a field of opaque state, where it is known. */
export function issuedBy(provider: string | undefined): { readonly provider?: string } {
  return provider === undefined ? unknown : { provider };
}

const unknown: { readonly provider?: string } = Object.freeze({});
