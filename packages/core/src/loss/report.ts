import type { Loss, LossKind, LossStage, Pointer, ProtocolId } from "../ir/index.ts";
import type { LossCode, LossDefinition } from "./catalogue/index.ts";
import { lossCatalogue } from "./catalogue/index.ts";

/** Values for the template of a loss: protocol words and numbers, never content. */
export type LossValues = { readonly [name: string]: string | number };

/** A loss as the place that causes it knows it: which node of the IR, which field of it. */
export interface LossDraft {
  readonly code: LossCode;
  readonly kind?: LossKind;
  readonly stage: LossStage;
  /** The IR node; absent for what has no source. */
  readonly node?: object;
  /** Field of the node, in the words of the IR; "" or absent is the whole node. */
  readonly field?: string;
  /** A place that is already known in the source; then node and field only give the place in the IR. */
  readonly path?: Pointer;
  readonly targetPath?: Pointer;
  /** What was made up, as it stands in the encoded body, where its place is not known yet; `field` is a key of the object. */
  readonly made?: { readonly object: object; readonly field?: string };
  readonly replacement?: string;
  readonly values?: LossValues;
}

/** Collects losses without resolving where they are; that happens once, at the end, and only when there are any. */
export interface Report {
  readonly drafts: LossDraft[];
}

export function createReport(): Report {
  return { drafts: [] };
}

/** Reports that `field` of `node` (or the whole node) is lost on encoding. */
export function lose(
  report: Report,
  code: LossCode,
  node: object | undefined,
  field = "",
  more: Omit<LossDraft, "code" | "stage" | "node" | "field"> = nothing,
): void {
  report.drafts.push(
    node === undefined ? { code, stage: "encode", field, ...more } : { code, stage: "encode", node, field, ...more },
  );
}

const nothing = {};

/** Where an object stands in the encoded body. */
export type TargetLocator = (object: object) => Pointer | undefined;

/** Where IR nodes stand in the source; null where the source has nothing of it. */
export type Locator = (node: object, field: string) => Pointer | undefined;

/** The template with each `{name}` or `{name|usually}` filled in; a name without a value stays as it is. */
function fill(template: string, from: ProtocolId, to: ProtocolId, values: LossValues = {}): string {
  let text = "";
  for (const piece of piecesOf(template)) {
    if (typeof piece === "string") text += piece;
    else {
      const own = values[piece.name];
      text += own ?? (piece.name === "from" ? from : piece.name === "to" ? to : piece.usual);
    }
  }
  return text;
}

interface Blank {
  readonly name: string;
  readonly usual: string;
}

const templates = new Map<string, readonly (string | Blank)[]>();

/** A template in pieces. A report of many losses has few templates, and they come from the catalogue. */
function piecesOf(template: string): readonly (string | Blank)[] {
  let pieces = templates.get(template);
  if (pieces === undefined) {
    pieces = template.split(/(\{[^}]*\})/).map((piece) => {
      if (!piece.startsWith("{")) return piece;
      const [name = "", usual = piece] = piece.slice(1, -1).split("|");
      return { name, usual };
    });
    templates.set(template, pieces);
  }
  return pieces;
}

/** The line of a loss in its usual words. A name without usual words stays in its braces. */
export function usualDetail({ detail }: LossDefinition): string {
  return piecesOf(detail)
    .map((piece) => (typeof piece === "string" ? piece : piece.usual))
    .join("");
}

/** Where a draft is, and what became of it; nothing where another one says it as well. */
export interface ResolvedDraft {
  readonly path: Pointer;
  readonly loss: Loss | undefined;
}

/** Drafts that were resolved before, in an encoding that another one goes on from: nothing of them changes. */
export type KnownDrafts = WeakMap<LossDraft, ResolvedDraft>;

/** How the places of drafts are found. */
export interface Locators {
  readonly locate: Locator;
  readonly locateIr: Locator;
  readonly locateTarget?: TargetLocator;
}

/**
 * Turns drafts into losses. A `dropped` loss below another `dropped` one says nothing new and is left out. `known` are drafts that the locators
 * need not know.
 */
export function resolveLosses(
  drafts: readonly LossDraft[],
  from: ProtocolId,
  to: ProtocolId,
  { locate, locateIr, locateTarget = () => undefined }: Locators,
  known?: KnownDrafts,
): Loss[] {
  const before = known && drafts.map((draft) => known.get(draft));
  const paths = drafts.map((draft, index) => before?.[index]?.path ?? pathOf(draft, locate));
  const isSaid = createCover(drafts, paths);
  const losses: Loss[] = [];
  for (let index = 0; index < drafts.length; index++) {
    const draft = drafts[index] as LossDraft;
    const path = paths[index] as Pointer;
    const said = isSaid?.(draft, path) === true;
    let loss = before?.[index]?.loss;
    if (loss === undefined && !said) loss = resolveLoss(draft, path, from, to, locateIr, locateTarget);
    if (before?.[index] === undefined) known?.set(draft, { path, loss });
    if (loss !== undefined && !said) losses.push(loss);
  }
  return losses;
}

function pathOf({ path, node, field = "" }: LossDraft, locate: Locator): Pointer {
  return path ?? (node === undefined ? undefined : locate(node, field)) ?? "";
}

const slash = 0x2f;

const isDropped = ({ code, kind = lossCatalogue[code].kind }: LossDraft): boolean => kind === "dropped";

/** Tells of each draft in turn whether it is a `dropped` one that stands below another, or that was seen before; undefined where no two are dropped. */
function createCover(
  drafts: readonly LossDraft[],
  paths: readonly Pointer[],
): ((draft: LossDraft, path: Pointer) => boolean) | undefined {
  const dropped = new Set<Pointer>();
  let count = 0;
  let shortest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < drafts.length; index++) {
    const path = paths[index] as Pointer;
    if (path === "" || !isDropped(drafts[index] as LossDraft)) continue;
    dropped.add(path);
    count++;
    shortest = Math.min(shortest, path.length);
  }
  if (count < 2) return undefined;
  // Without two at one place the codes need not be looked at.
  const seen = count > dropped.size ? new Set<string>() : undefined;
  return (draft, path) => {
    if (path === "" || !isDropped(draft)) return false;
    // By hand: the engine's own search from the end takes longer than a path is long.
    for (let end = path.length - 1; end >= shortest; end--) {
      if (path.charCodeAt(end) === slash && dropped.has(path.slice(0, end))) return true;
    }
    if (seen === undefined) return false;
    const key = `${draft.code}\n${path}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

function targetOf({ targetPath, made }: LossDraft, locateTarget: TargetLocator): Pointer | undefined {
  if (targetPath !== undefined || made === undefined) return targetPath;
  const place = locateTarget(made.object);
  return place === undefined || made.field === undefined ? place : `${place}/${made.field}`;
}

function resolveLoss(
  draft: LossDraft,
  path: Pointer,
  from: ProtocolId,
  to: ProtocolId,
  locateIr: Locator,
  locateTarget: TargetLocator,
): Loss {
  const definition = lossCatalogue[draft.code];
  const { node, field = "" } = draft;
  const irPath = node === undefined ? undefined : locateIr(node, field);
  const targetPath = targetOf(draft, locateTarget);
  // Assigned in the order of a report: a spread for each that may be absent takes longer than all the rest.
  const loss = {
    code: draft.code,
    kind: draft.kind ?? definition.kind,
    effect: definition.effect,
    severity: definition.severity,
    stage: draft.stage,
    from,
    to,
    path,
  } as { -readonly [K in keyof Loss]: Loss[K] };
  if (irPath !== undefined) loss.irPath = irPath;
  if (targetPath !== undefined) loss.targetPath = targetPath;
  loss.detail = fill(definition.detail, from, to, draft.values);
  if (draft.replacement !== undefined) loss.replacement = draft.replacement;
  return loss;
}
