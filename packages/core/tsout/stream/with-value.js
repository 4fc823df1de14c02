/** The same value with another at the end of a path. The value itself is not changed; what the path does not touch is shared. */
export function withValue(target, segments, value, depth = 0) {
    const segment = segments[depth];
    if (segment === undefined)
        return value;
    const copy = (Array.isArray(target) ? [...target] : { ...target });
    copy[segment] = withValue(copy[segment] ?? {}, segments, value, depth + 1);
    return copy;
}
//# sourceMappingURL=with-value.js.map