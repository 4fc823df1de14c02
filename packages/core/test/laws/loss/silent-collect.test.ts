import type { Json } from "@rolecall/core";
import { ProviderError } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { converterOf } from "../conversion.ts";
import { law } from "../law.ts";
import { insertionFault } from "./faults.ts";
import { choice, chosen, objectsOf, token, unknownKey, withKey } from "./leaves.ts";
import type { Stream } from "./streams.ts";
import { streamsOf, textOf } from "./streams.ts";

/** Undefined where the stream fails. */
async function collected(stream: Stream, protocol: BodyProtocol) {
  try {
    const { value, losses } = await converterOf(protocol, protocol).collectStream(textOf(stream, protocol));
    return { text: JSON.stringify(value), value, losses };
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

describe.each<BodyProtocol>(["openai-chat", "anthropic-messages"])(
  "a stream of %s as a response of its own",
  (protocol) => {
    law(
      "what no protocol knows shows or is dropped",
      200,
      fc.asyncProperty(streamsOf(protocol), choice, async (stream, numbers) => {
        for (const object of chosen(objectsOf(stream).slice(1), numbers)) {
          const pointer = `${object.pointer}/${unknownKey}`;
          // Running totals: the last ones count.
          if (pointer.includes("/usage/")) continue;
          const after = await collected(withKey(stream, object, unknownKey, token as Json) as Stream, protocol);
          const fault = after === undefined ? undefined : insertionFault(pointer, after);
          if (fault !== undefined) throw new Error(`${pointer}: ${fault}`);
        }
      }),
    );
  },
);
