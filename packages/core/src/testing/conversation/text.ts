import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { CacheBreakpoint, Citation, OpaqueState, Origin, ProtocolId, TextPart } from "../../ir/index.ts";
import type { Fields } from "../shape.ts";
import { few, maybe, oneWord, shape, typed } from "../shape.ts";
import { arbitraryText, base64, plainText, url } from "../text.ts";

export const protocolId: Arbitrary<ProtocolId> = oneWord(
  "anthropic-messages",
  "openai-chat",
  "openai-responses",
  "gemini-generate-content",
);

export const cacheBreakpoint: Arbitrary<CacheBreakpoint> = shape(
  {},
  { ttl: oneWord("5m", "1h", "30m", "constructor") },
);

const origin: Arbitrary<Origin> = shape(
  {},
  {
    source: oneWord("operator", "user", "model", "tool", "retrieval", "summary"),
    trust: oneWord("trusted", "untrusted"),
  },
);

/** What any part may carry. */
export const nodeFields: Fields = { cacheBreakpoint: maybe(cacheBreakpoint, 2), origin: maybe(origin, 2) };

/** State of a kind, from any issuer. */
export function opaqueState(...kinds: readonly OpaqueState["kind"][]): Arbitrary<OpaqueState> {
  return shape<OpaqueState>(
    { protocol: protocolId, kind: fc.constantFrom(...kinds), value: base64 },
    {
      provider: oneWord("openai", "anthropic"),
      model: oneWord("m"),
      bindsTo: oneWord("node", "prefix"),
      replay: oneWord("required", "optional", "forbidden"),
    },
    3,
  );
}

const citation: Arbitrary<Citation> = shape<Citation>(
  { type: oneWord("url", "document", "searchResult", "file") },
  {
    url,
    title: fc.option(plainText),
    citedText: arbitraryText(),
    startIndex: fc.nat(4),
    endIndex: fc.nat(9),
    fileId: fc.option(oneWord("file_abc")),
    sourceIndex: fc.nat(3),
    range: shape({ unit: oneWord("character", "page", "block"), start: fc.nat(4), end: fc.nat(9) }),
    state: few(opaqueState("reference"), 1),
  },
  1,
);

export const textPart: Arbitrary<TextPart> = typed(
  "text",
  { text: arbitraryText() },
  {
    ...nodeFields,
    citations: maybe(few(citation, 2, 0), 2),
    phase: maybe(oneWord("commentary", "final_answer"), 2),
    state: maybe(few(opaqueState("signature"), 1), 4),
  },
);
