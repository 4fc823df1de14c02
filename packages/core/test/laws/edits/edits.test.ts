import type { Conversation, Part } from "@rolecall/core";
import { isToolCall } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { attempt, isMended, protocolIds, protocols } from "../conversion.ts";
import { expectSame } from "../differences.ts";
import { law } from "../law.ts";
import { answerEdit, graft, plainEdit } from "./edits.ts";
import { answerMeaning, meaning } from "./meaning.ts";

/** True for an instruction among the turns that says something and adds tools: in Responses these are items of their own. */
const saysWithTools = ({ messages }: Conversation): boolean =>
  messages.some(
    (message) => message.role === "system" && message.toolsAdded !== undefined && message.content.length > 0,
  );

const hasNamespaces = ({ messages }: Conversation): boolean =>
  messages.some(({ content }) =>
    (content as readonly Part[]).some((part) => isToolCall(part) && part.namespace !== undefined),
  );

/** L2b: edits show. */
describe.each(protocolIds)("%s", (id) => {
  const protocol = protocols[id];

  const roundTrip = (edited: Conversation) => {
    const encoded = attempt(() => protocol.encodeRequest(edited));
    if ("error" in encoded) return undefined;
    const { value, losses } = encoded.value;
    return { value: protocol.decodeRequest(JSON.parse(JSON.stringify(value))).value, losses };
  };

  law(
    "a plain edit shows and nothing else",
    600,
    fc.property(arbitraryRequestBody(id), plainEdit, (body, edit) => {
      const edited = edit.apply(protocol.decodeRequest({ body }).value);
      fc.pre(edited !== undefined && !(id === "openai-responses" && saysWithTools(edited)));
      const result = roundTrip(edited);
      if (result === undefined) throw new Error(`refused: ${edit.name}`);
      if (id === "gemini-generate-content") {
        // It has no field for a user, and a result is one text or an object.
        fc.pre(edited.settings.userId === undefined);
        fc.pre(!result.losses.some(({ code }) => code === "text.joined" || code === "tool_result.part"));
      }
      // Responses has no sequences that end an answer, and only asks for probabilities.
      const { stopSequences, logprobs } = edited.settings;
      fc.pre(id !== "openai-responses" || (stopSequences === undefined && logprobs !== false));
      // What the model says twice in a row is one turn in Responses.
      fc.pre(!isMended(result.losses) && !result.losses.some(({ code }) => code === "turn.merged"));
      const expected = meaning(edited);
      expectSame(meaning(result.value), expected, edit.name);
      expectSame(
        result.losses.map(({ code }) => code),
        [],
        `${edit.name} losses`,
      );
    }),
  );

  law(
    "an edit of an answer shows or is reported",
    600,
    fc.property(arbitraryResponseBody(id), answerEdit, (body, edit) => {
      const edited = edit.apply(protocol.decodeResponse(body).value);
      fc.pre(edited !== undefined);
      const { value, losses } = protocol.encodeResponse(edited);
      const result = protocol.decodeResponse(JSON.parse(JSON.stringify(value))).value;
      if (losses.length === 0) expectSame(answerMeaning(result), answerMeaning(edited), edit.name);
      // Chat has one text per answer, and the tools that Responses defines have one name.
      else if (edit.name !== "removePart" && losses[0]?.code !== "text.joined" && losses[0]?.code !== "tool_call.kind")
        throw new Error(`reported: ${edit.name} ${losses[0]?.code}`);
    }),
  );

  law(
    "a foreign node shows or is reported",
    600,
    fc.property(arbitraryRequestBody(id), graft, (body, edit) => {
      const edited = edit.apply(protocol.decodeRequest({ body }).value);
      // A namespace that the request does not declare is none of a request.
      fc.pre(edited !== undefined && (id !== "openai-responses" || !hasNamespaces(edited)));
      const result = roundTrip(edited);
      if (result === undefined || result.losses.length > 0) return;
      expectSame(meaning(result.value), meaning(edited), edit.name);
    }),
  );
});
