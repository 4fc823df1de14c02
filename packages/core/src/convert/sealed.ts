import { unsupportedMedia } from "../codec/media/media.ts";
import type { Decoded } from "../codec/protocol.ts";
import { refuseStored } from "../codec/refuse-foreign.ts";
import type { Conversation, Json, JsonObject, MediaSource, Part, Pointer, Profile, ProtocolId } from "../ir/index.ts";
import { escapeSegment, isJsonObject, pointerSegments, setOwn, visitNodes } from "../ir/index.ts";
import type { LossDraft } from "../loss/index.ts";
import { createReport, traceLocator } from "../loss/index.ts";

/**
 * Names under which services and gateways put payloads for themselves into fields that no protocol has, such as `thinking_blocks` with their
 * signatures, `provider_specific_fields.thought_signature` or `reasoning_opaque`.
 */
const sealedKey = /(?:^|_)signatures?$|^encrypted_|_opaque$|_credit_token$/;

/** True where both services are known and differ. */
export function crossesIssuers(source: Profile | undefined, target: Profile | undefined): boolean {
  const [from, to] = [source?.provider, target?.provider];
  return from !== undefined && to !== undefined && from !== to;
}

/** Where the residue of a conversation holds payloads that only their issuer can read. What the codecs know they decide about themselves. */
export function sealedPlaces({ value, trace }: Decoded<Conversation>): readonly Pointer[] {
  const locate = traceLocator(trace);
  const places: Pointer[] = [];
  visitNodes(value, (node, _pointer, owner = node, field = "") => {
    const prefix = field === "" ? "" : `${field}/`;
    for (const [kind, rest] of [
      [`${prefix}rest:`, node.wire?.rest],
      ["group:", node.wire?.group?.rest],
    ] as const) {
      for (const pointer in rest) {
        const place = locate(owner, kind + pointer);
        if (place !== undefined)
          findSealed(rest[pointer] as Json, pointerSegments(pointer).at(-1) ?? "", place, places);
      }
    }
  });
  return places;
}

/**
 * Refuses what a conversation names of what its own service has stored, where another service of the same protocol is asked. Media that the
 * profile asks to leave out is given back, each part with its loss.
 */
export function refuseElsewhere(
  conversation: Conversation,
  target: Profile,
  protocol: ProtocolId,
): readonly LossDraft[] {
  refuseStored(conversation, target);
  const report = createReport();
  visitNodes(conversation, (node) => {
    if (isStoredMedia(node)) unsupportedMedia(report, node, node.source, target, protocol);
  });
  return report.drafts;
}

type MediaPart = Part & { readonly source: MediaSource };

function isStoredMedia(node: object): node is MediaPart {
  const source: unknown = "source" in node ? node.source : undefined;
  return typeof source === "object" && source !== null && "type" in source && source.type === "file";
}

function findSealed(value: Json, key: string, place: Pointer, places: Pointer[]): void {
  // A container is a machine of its service, named by id or by an object that holds the id.
  if (key === "container" && typeof value === "string") places.push(place);
  else if (key === "container" && isJsonObject(value) && typeof value["id"] === "string") places.push(`${place}/id`);
  else if (sealedKey.test(key) && value !== null && value !== "") places.push(place);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findSealed(item as Json, "", `${place}/${index}`, places);
  } else if (isJsonObject(value)) {
    const isRedacted = value["type"] === "redacted_thinking" && typeof value["data"] === "string";
    if (isRedacted) places.push(`${place}/data`);
    for (const name in value) {
      if (isRedacted && name === "data") continue;
      findSealed(value[name] as Json, name, `${place}/${escapeSegment(name)}`, places);
    }
  }
}

/** A copy of a body without what stands at these places. */
export function withoutPlaces(body: Json, places: readonly Pointer[]): Json {
  // Of a list the last are taken out first, so that the others stay where they are.
  return places.reduceRight((value, place) => withoutField(value, pointerSegments(place)), body);
}

function withoutField(value: Json, [key = "", ...below]: readonly string[]): Json {
  if (Array.isArray(value) && below.length === 0) return value.filter((_item, index) => String(index) !== key);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? withoutField(item, below) : item));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const name in value) {
    if (name !== key) setOwn(copy, name, (value as JsonObject)[name] as Json);
    else if (below.length > 0) setOwn(copy, name, withoutField(value[name] as Json, below));
  }
  return copy;
}
