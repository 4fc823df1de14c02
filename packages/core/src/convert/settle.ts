import type { Decoded, Encoded } from "../codec/protocol.ts";
import { placed } from "../codec/refuse.ts";
import type { AssistantMessage, Conversation, Json, Loss } from "../ir/index.ts";
import type { InexactPlace } from "../json/inexact.ts";
import type { Survey } from "../json/survey.ts";
import { checkJson, refuseDepth, survey, wellFormed } from "../json/survey.ts";
import type { Acceptance, KnownDrafts, Locator, LossDraft, LossPolicy } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, irLocator, resolveLosses, traceLocator } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import { pointersOf } from "./trace.ts";

export interface ConvertOptions {
  /** What to do about losses; `report` unless stated. */
  readonly onLoss?: LossPolicy;
  /** Losses that are known and accepted. */
  readonly accept?: readonly Acceptance[];
  /**
   * For an input that the caller read from text: what `inexactPlaces` found in it. An object from text is not checked for what is no JSON. Text
   * and bytes are looked at anyway.
   */
  readonly inexact?: readonly InexactPlace[];
}

/** Refuses a body that nests too deep or, given as an object, is no JSON. Toward another protocol it is looked for half surrogates as well. */
export function checked(value: Json, isText: boolean, cross: boolean): Survey {
  const found = survey(value, cross);
  refuseDepth(found, value);
  if (!isText) checkJson(value);
  return found;
}

/** Half surrogates are no characters: toward another protocol they are replaced and reported, whatever place they stand in. */
export function mended(value: Json, { halves }: Survey, drafts: LossDraft[]): Json {
  if (!halves) return value;
  return wellFormed(value, (path) => drafts.push({ code: "text.lone_surrogate", stage: "decode", path }));
}

const noLosses: readonly Loss[] = Object.freeze([]);

export function settle<T extends Conversation | AssistantMessage>(
  decoded: Decoded<T>,
  encoded: Encoded<unknown>,
  body: object,
  before: readonly LossDraft[],
  source: Protocol,
  target: Protocol,
  options: ConvertOptions,
  known?: KnownDrafts,
): readonly Loss[] {
  if (before.length + decoded.losses.length + encoded.losses.length === 0) return noLosses;
  const drafts = [...before, ...decoded.losses, ...encoded.losses];
  let places: ReturnType<typeof pointersOf> | undefined;
  const locateTarget = (object: object) => {
    places ??= pointersOf(body);
    return places.get(object);
  };
  const nodes = new Set<object>();
  for (const draft of drafts) if (draft.node !== undefined && known?.has(draft) !== true) nodes.add(draft.node);
  const locate = traceLocator(decoded.trace, nodes);
  const narrow = irLocator(decoded.value, nodes);
  let wide: Locator | undefined;
  // A loss that another one said as well is looked for only when that one is no longer there.
  const locateIr: Locator = (node, field) => {
    if (nodes.has(node)) return narrow(node, field);
    wide ??= irLocator(decoded.value);
    return wide(node, field);
  };
  const locators = { locate, locateIr, locateTarget };
  const resolved = resolveLosses(drafts, source.id, target.id, locators, known);
  const losses = options.accept === undefined ? resolved : acceptLosses(resolved, options.accept);
  enforcePolicy(losses, options.onLoss ?? "report");
  return losses;
}

export function encodeOrPlace<T>(decoded: Decoded<Conversation | AssistantMessage>, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    throw placed(error, traceLocator(decoded.trace), irLocator(decoded.value));
  }
}
