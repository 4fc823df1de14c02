const place = (loss) => `${loss.code}\n${loss.kind}\n${loss.path}\n${loss.path === "" ? (loss.targetPath ?? "") : ""}`;
/**
 * What is new since the previous request of the same conversation. An agent sends its whole history each time, so most losses repeat.
 */
export function compareLosses(losses, previous) {
    const codes = new Set(previous.map((loss) => loss.code));
    const places = new Set(previous.map(place));
    const fresh = [];
    const more = [];
    const repeated = [];
    for (const loss of losses) {
        if (places.has(place(loss)))
            repeated.push(loss);
        else if (codes.has(loss.code))
            more.push(loss);
        else
            fresh.push(loss);
    }
    return { fresh, more, repeated };
}
//# sourceMappingURL=novelty.js.map