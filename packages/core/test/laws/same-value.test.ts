import { arbitraryRequestBody, arbitraryResponseBody, withUnknown } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import type { SameKind } from "../../src/index.ts";
import { accepted, attempt, convert, converterOf, isMended, protocolIds, ways } from "./conversion.ts";
import { expectSame } from "./differences.ts";
import { law } from "./law.ts";
import { withOneSpelling } from "./spelling.ts";

/** L2: same profile, same value. */
describe.each(protocolIds)("%s comes back as it was", (id) => {
  const converter = converterOf(id, id);
  const requests = fc.oneof(arbitraryRequestBody(id), withUnknown(arbitraryRequestBody(id)));
  const responses = fc.oneof(arbitraryResponseBody(id), withUnknown(arbitraryResponseBody(id)));
  const written = new TextEncoder();
  const read = new TextDecoder();

  law(
    "requests",
    600,
    fc.property(requests, (body) => {
      const result = accepted(() => converter.convertRequest(body));
      fc.pre(result !== undefined && !isMended(result.losses));
      expectSame(result.value, body);
      expectSame(result.losses, [], "losses");
    }),
  );

  law(
    "responses",
    600,
    fc.property(responses, (body) => {
      const result = accepted(() => converter.convertResponse(body));
      fc.pre(result !== undefined && !isMended(result.losses));
      expectSame(result.value, body);
      expectSame(result.losses, [], "losses");
    }),
  );

  const inKind = (text: string, convert: <T extends string | Uint8Array>(input: T) => SameKind<T>): void => {
    const value = accepted(() => convert(text) as string);
    fc.pre(value !== undefined);
    expectSame(read.decode(convert(written.encode(text)) as Uint8Array), value, "bytes");
  };

  law(
    "text as text, bytes as bytes",
    150,
    fc.property(requests, responses, (request, response) => {
      inKind(JSON.stringify(request), (input) => converter.convertRequest(input).value);
      inKind(JSON.stringify(response), (input) => converter.convertResponse(input).value);
    }),
  );
});

describe("a request with headers comes back as it was", () => {
  const converter = converterOf("anthropic-messages", "anthropic-messages");
  const headers = fc.record(
    {
      version: fc.constantFrom("2023-06-01", "2026-10-21"),
      betas: fc.array(fc.constantFrom("compact-2026-01-12", "a")),
    },
    { requiredKeys: ["version"], noNullPrototype: true },
  );
  law(
    "anthropic-messages",
    100,
    fc.property(arbitraryRequestBody("anthropic-messages"), headers, (body, stated) => {
      const result = converter.convertRequest({ body, headers: stated });
      fc.pre(!isMended(result.losses));
      expectSame(result.value, { body, headers: stated });
      expectSame(result.losses, [], "losses");
    }),
  );
});

describe.each(ways.filter(({ from, to }) => from === to))("$name", ({ from, to, target }) => {
  const bodies = fc.oneof(arbitraryRequestBody(from), withUnknown(arbitraryRequestBody(from)));
  law(
    "a body of which nothing is told comes back as it was, under the names of the server",
    150,
    fc.property(bodies, (body) => {
      const result = attempt(() => convert(from, to, "request", body, target));
      fc.pre("value" in result && result.value.losses.length === 0);
      expectSame(withOneSpelling(result.value.value), withOneSpelling(body));
    }),
  );
});
