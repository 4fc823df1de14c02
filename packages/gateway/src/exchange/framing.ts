import type { UrlTarget } from "@rolecall/core";
import { createListWriter, createSseParser } from "@rolecall/core";
import type { AnswerHeaders } from "../http/sink.ts";
import { streamHeaders } from "../http/sink.ts";

/** How the frames of a stream reach a client. */
export interface Framing {
  readonly headers: AnswerHeaders;
  /** What goes out for the text of whole server-sent events. */
  push(text: string): string;
  /** What goes out for the last of it. */
  end(text: string): string;
  /** What goes out for the last of it where that tells of a failure. */
  fail(text: string): string;
}

const sent = (text: string): string => text;
const asEvents: Framing = { headers: streamHeaders, push: sent, end: sent, fail: sent };
/** The first versions of Google's client look for an error where the service puts it, bare behind the events, and take any other for an empty chunk. */
const asGoogleEvents: Framing = { ...asEvents, fail: (text) => text + lastData(text) };

function lastData(text: string): string {
  const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return data === undefined ? "" : `${data}\n`;
}

const listHeaders: AnswerHeaders = { ...streamHeaders, "content-type": "application/json; charset=UTF-8" };

/** Server-sent events as they are, or a JSON list of them for a client of Gemini that did not ask for events. Comments have no place there. */
export function createFraming(url: UrlTarget | undefined): Framing {
  if (url === undefined) return asEvents;
  if (url.alt === "sse") return asGoogleEvents;
  const parser = createSseParser();
  const list = createListWriter();
  const push = (text: string): string =>
    parser
      .push(text)
      .map(({ data }) => list.push(data))
      .join("");
  const end = (text: string): string => push(text) + list.finish();
  return { headers: listHeaders, push, end, fail: end };
}
