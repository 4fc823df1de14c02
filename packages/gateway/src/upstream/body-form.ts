import { UpstreamFailure } from "./upstream.ts";

/** What a body is by how it begins, whatever its headers say. A failed list is one of which the first element is an error. */
export type BodyForm = "object" | "list" | "failed list" | "events" | "other";

const byteOrderMark = "\xef\xbb\xbf";
const fields = ["data", "event", "id", "retry"] as const;
const field = new RegExp(`^(?:${fields.join("|")})[:\\r\\n]`);
/** A list up to the first value in its first element. */
const listHead = /^\[\s*(?:[^\s{]|\{\s*(?:[^\s"]|"(?:[^"\\]|\\.)*"\s*(?:[^\s:]|:\s*\S)))/;
const failedHead = /^\[\s*\{\s*"(?:error"\s*:\s*[{"]|type"\s*:\s*"error"|object"\s*:\s*"error")/;
/** So much is looked at before a list is taken for one. */
const LONGEST_HEAD = 1024;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;

/** The form of a body whose first bytes are those of `text`, one for each character; undefined while they say too little. */
function formOf(text: string): BodyForm | undefined {
  if (byteOrderMark.startsWith(text)) return undefined;
  const begin = (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text).trimStart();
  switch (begin[0]) {
    case undefined:
      return undefined;
    case "{":
      return "object";
    case ":":
      return "events";
    case "[":
      if (!listHead.test(begin) && begin.length < LONGEST_HEAD) return undefined;
      return failedHead.test(begin) ? "failed list" : "list";
    default:
      if (field.test(begin)) return "events";
      return fields.some((name) => name.startsWith(begin)) ? undefined : "other";
  }
}

/** The form of a body that is there as a whole. */
export function formOfWhole(body: Buffer): BodyForm {
  if (body[0] === OPEN_BRACE) return "object";
  return formOf(body.toString("latin1", 0, 2 * LONGEST_HEAD)) ?? "other";
}

/** Holds the first bytes of a body back until they tell its form, however they are cut. */
export interface FormFinder {
  /** The form, and all bytes so far. Throws an UpstreamFailure where too many say nothing. */
  push(chunk: Buffer): FoundForm | undefined;
  /** The same for a body that ended. */
  finish(): FoundForm;
}

export interface FoundForm {
  readonly form: BodyForm;
  readonly bytes: Buffer;
}

export function createFormFinder(limit: number): FormFinder {
  const held: Buffer[] = [];
  let size = 0;
  /** What is held, from where it is not blank. */
  let head = "";
  const bytes = (): Buffer => (held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held));
  return {
    push(chunk) {
      // Most answers are one object, and begin with it.
      if (size === 0 && chunk.length <= limit && chunk[0] === OPEN_BRACE) return { form: "object", bytes: chunk };
      held.push(chunk);
      size += chunk.length;
      if (size > limit) throw new UpstreamFailure("answer", `its answer is larger than ${limit} bytes`);
      let start = 0;
      while (head === "" && start < chunk.length && (chunk[start] as number) <= SPACE) start++;
      head += chunk.toString("latin1", start, start + LONGEST_HEAD);
      const form = formOf(head);
      return form === undefined ? undefined : { form, bytes: bytes() };
    },
    finish: () => ({ form: "other", bytes: bytes() }),
  };
}
