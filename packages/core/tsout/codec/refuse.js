import { UnsupportedError } from "../errors/index.js";
const places = new WeakMap();
/** Refuses what the target cannot do at all. The place is known as a node of the IR; `placed` turns it into a pointer. */
export function refuse(feature, node, field, message, fallbacks = []) {
    const error = new UnsupportedError(feature, "", message, fallbacks);
    places.set(error, { node, field });
    throw error;
}
/** The same error with its path, where one of the locators knows the node. */
export function placed(error, ...locators) {
    if (!(error instanceof UnsupportedError))
        return error;
    const place = places.get(error);
    if (place === undefined)
        return error;
    for (const locate of locators) {
        const path = locate(place.node, place.field) ?? locate(place.node, "");
        if (path !== undefined)
            return new UnsupportedError(error.feature, path, `${error.message} (at ${path || "/"})`, error.fallbacks);
    }
    return error;
}
//# sourceMappingURL=refuse.js.map