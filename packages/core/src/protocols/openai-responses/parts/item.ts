import { hashName } from "../../../codec/identity/hash.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Ledger } from "../../../codec/ledger.ts";
import { keepOdd, spell } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import type { JsonObject, Node, OpaqueState } from "../../../ir/index.ts";
import { acceptsState } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";

const protocol = "openai-responses";

/** The type that an item states; empty for none. */
export function itemType({ type }: JsonObject): string {
  return typeof type === "string" ? type : "";
}

/** The id of an item: it belongs to the service that stores the item. */
export function itemState(item: JsonObject, ledger: Ledger, reader: Reader): readonly OpaqueState[] | undefined {
  const { id } = item;
  if (typeof id !== "string") {
    keepOdd(ledger, "id", id);
    return undefined;
  }
  return [{ protocol, ...issuedBy(reader.provider), kind: "itemId", value: id }];
}

/** A completed item is complete, and needs no word; any other status is one. */
export function readStatus(ledger: Ledger, item: JsonObject): void {
  const { status } = item;
  if (status === "completed") spell(ledger, "status", status);
  else keepOdd(ledger, "status", status);
}

export function writeStatus(object: WireObject, node: Node): void {
  if (formOf(node.wire, protocol, "status") === "completed") object["status"] = "completed";
}

/** The id of the item that a node opens, where the target issued it. */
export function itemIdOf(node: Node, writer: Writer): string | undefined {
  const state = node.state?.find((item) => item.kind === "itemId" && item.protocol === protocol);
  return state !== undefined && typeof state.value === "string" && acceptsState(writer.target, state)
    ? state.value
    : undefined;
}

/** Writes the id of an item; one is made up where the item demands it and has none. */
export function writeItemId(
  object: WireObject,
  node: Node,
  prefix: string,
  writer: Writer,
  demanded: boolean = writer.response,
): void {
  const own = itemIdOf(node, writer);
  if (own !== undefined) object["id"] = own;
  else if (demanded && node.wire?.protocol !== protocol) object["id"] = makeItemId(prefix, writer);
}

/** An id that is the same for the same item of the same answer. */
export function makeItemId(prefix: string, writer: Writer): string {
  return `${prefix}_${hashName(`${writer.seed}\n${writer.made.items++}`)}`;
}
