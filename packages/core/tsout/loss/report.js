import { lossCatalogue } from "./catalogue/index.js";
export function createReport() {
    return { drafts: [] };
}
/** Reports that `field` of `node` (or the whole node) is lost on encoding. */
export function lose(report, code, node, field = "", more = nothing) {
    report.drafts.push(node === undefined ? { code, stage: "encode", field, ...more } : { code, stage: "encode", node, field, ...more });
}
const nothing = {};
/** The template with each `{name}` or `{name|usually}` filled in; a name without a value stays as it is. */
function fill(template, from, to, values = {}) {
    let text = "";
    for (const piece of piecesOf(template)) {
        if (typeof piece === "string")
            text += piece;
        else {
            const own = values[piece.name];
            text += own ?? (piece.name === "from" ? from : piece.name === "to" ? to : piece.usual);
        }
    }
    return text;
}
const templates = new Map();
/** A template in pieces. A report of many losses has few templates, and they come from the catalogue. */
function piecesOf(template) {
    let pieces = templates.get(template);
    if (pieces === undefined) {
        pieces = template.split(/(\{[^}]*\})/).map((piece) => {
            if (!piece.startsWith("{"))
                return piece;
            const [name = "", usual = piece] = piece.slice(1, -1).split("|");
            return { name, usual };
        });
        templates.set(template, pieces);
    }
    return pieces;
}
/** Turns drafts into losses. A `dropped` loss below another `dropped` one says nothing new and is left out. */
export function resolveLosses(drafts, from, to, locate, locateIr, locateTarget = () => undefined) {
    const paths = drafts.map(({ path, node, field = "" }) => path ?? (node && locate(node, field)) ?? "");
    const isSaid = createCover(drafts, paths);
    const losses = [];
    drafts.forEach((draft, index) => {
        const path = paths[index];
        if (!isSaid(draft, path))
            losses.push(resolveLoss(draft, path, from, to, locateIr, locateTarget));
    });
    return losses;
}
const isDropped = ({ code, kind = lossCatalogue[code].kind }) => kind === "dropped";
/** Tells of each draft in turn whether it is a `dropped` one that stands below another, or that was seen before. */
function createCover(drafts, paths) {
    const dropped = new Set();
    let count = 0;
    let shortest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < drafts.length; index++) {
        const path = paths[index];
        if (path === "" || !isDropped(drafts[index]))
            continue;
        dropped.add(path);
        count++;
        shortest = Math.min(shortest, path.length);
    }
    // Without two at one place the codes need not be looked at.
    const seen = count > dropped.size ? new Set() : undefined;
    return (draft, path) => {
        if (path === "" || count === 0 || !isDropped(draft))
            return false;
        for (let end = path.lastIndexOf("/"); end >= shortest; end = path.lastIndexOf("/", end - 1)) {
            if (dropped.has(path.slice(0, end)))
                return true;
        }
        if (seen === undefined)
            return false;
        const key = `${draft.code}\n${path}`;
        if (seen.has(key))
            return true;
        seen.add(key);
        return false;
    };
}
function targetOf({ targetPath, made }, locateTarget) {
    if (targetPath !== undefined || made === undefined)
        return targetPath;
    const place = locateTarget(made.object);
    return place === undefined || made.field === undefined ? place : `${place}/${made.field}`;
}
function resolveLoss(draft, path, from, to, locateIr, locateTarget) {
    const definition = lossCatalogue[draft.code];
    const { node, field = "" } = draft;
    const irPath = node === undefined ? undefined : locateIr(node, field);
    const targetPath = targetOf(draft, locateTarget);
    return {
        code: draft.code,
        kind: draft.kind ?? definition.kind,
        effect: definition.effect,
        severity: definition.severity,
        stage: draft.stage,
        from,
        to,
        path,
        ...(irPath !== undefined && { irPath }),
        ...(targetPath !== undefined && { targetPath }),
        detail: fill(definition.detail, from, to, draft.values),
        ...(draft.replacement !== undefined && { replacement: draft.replacement }),
    };
}
//# sourceMappingURL=report.js.map