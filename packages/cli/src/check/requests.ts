import type { Conversation, Json, ProtocolId, RequestInput } from "@rolecall/core";
import { isConversation, isJsonObject } from "@rolecall/core";
import type { Body } from "../input/body.ts";
import { bodiesIn, protocolOf, wireRequestOf } from "../input/body.ts";
import type { JsonFile } from "../input/file.ts";
import { Mistake } from "../mistake.ts";

/** A request out of a file, with its protocol. */
export interface FileRequest {
  readonly protocol: ProtocolId;
  readonly body: Body;
  readonly input: RequestInput;
}

/** The request that a file holds. Throws a Mistake where it holds none, or where its protocol cannot be told. */
export function requestIn(file: JsonFile, protocol: ProtocolId | undefined, option: string): FileRequest {
  const [body] = bodiesIn(file.value, "request");
  if (body === undefined) throw new Mistake(`${file.name}: the recorded exchange holds no request as JSON`);
  if (!isJsonObject(body.value)) throw new Mistake(`${file.name}: a request must be an object`);
  const found = protocol ?? protocolOf(body);
  if (found === undefined) {
    throw new Mistake(`${file.name}: the request could be of several protocols, or of none; say which with ${option}`);
  }
  const path = body.path === undefined ? {} : { path: body.path };
  return { protocol: found, body, input: { ...wireRequestOf(body), ...path } as RequestInput };
}

/** A decoded conversation, where a file holds one. */
export function conversationIn({ value }: { readonly value: Json }): Conversation | undefined {
  return isConversation(value) ? value : undefined;
}
