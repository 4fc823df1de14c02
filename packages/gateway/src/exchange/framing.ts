import { createListWriter, createSseParser } from "@rolecall/core";
import type { UrlTarget } from "../families/family.ts";
import type { AnswerHeaders } from "../http/sink.ts";
import { streamHeaders } from "../http/sink.ts";

/** How the frames of a stream reach a client. */
export interface Framing {
  readonly headers: AnswerHeaders;
  /** What goes out for the text of whole server-sent events. */
  push(text: string): string;
  /** What goes out for the last of it. */
  end(text: string): string;
}

const sent = (text: string): string => text;
const asEvents: Framing = { headers: streamHeaders, push: sent, end: sent };
const listHeaders: AnswerHeaders = { ...streamHeaders, "content-type": "application/json; charset=UTF-8" };

/** Server-sent events as they are, or a JSON list of them for a client of Gemini that did not ask for events. Comments have no place there. */
export function createFraming(url: UrlTarget | undefined): Framing {
  if (url === undefined || url.alt === "sse") return asEvents;
  const parser = createSseParser();
  const list = createListWriter();
  const push = (text: string): string =>
    parser
      .push(text)
      .map(({ data }) => list.push(data))
      .join("");
  return { headers: listHeaders, push, end: (text) => push(text) + list.finish() };
}
