import type { Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { objectsOf } from "../../request-view.ts";

/** A value that the API takes under its camel-case key and under its snake-case one, with the key that is used. */
export function either(object: JsonObject, key: string): { readonly key: string; readonly value: Json | undefined } {
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const used = object[key] === undefined && object[snake] !== undefined ? snake : key;
  return { key: used, value: object[used] };
}

/** The object under a key, with its place. */
export function objectAt({ object, path }: Placed, key: string): Placed | undefined {
  const found = either(object, key);
  return isJsonObject(found.value) ? { object: found.value, path: `${path}/${found.key}` } : undefined;
}

export const contentsOf = ({ body }: RequestView): readonly Placed[] => objectsOf(body["contents"], "/contents");

export const partsOf = ({ object, path }: Placed): readonly Placed[] => objectsOf(object["parts"], `${path}/parts`);

/** The calls or results of a content, each with the part that holds it. */
export function within(content: Placed, key: string): readonly { readonly part: Placed; readonly inner: Placed }[] {
  return partsOf(content).flatMap((part) => {
    const inner = objectAt(part, key);
    return inner === undefined ? [] : [{ part, inner }];
  });
}

/** The declarations of functions. */
export function declarationsOf({ body }: RequestView): readonly Placed[] {
  return objectsOf(body["tools"], "/tools").flatMap(({ object, path }) => {
    const { key, value } = either(object, "functionDeclarations");
    return objectsOf(value, `${path}/${key}`);
  });
}
