import { locatorIn } from "../loss/index.js";
import { eventPointer } from "./events.js";
const answer = { role: "assistant" };
/** `fieldPointer` is the one of the protocol that the stream is of. Nodes that nobody holds any more are forgotten. */
export function createPlaces(fieldPointer) {
    const pointers = new WeakMap();
    const usages = new WeakMap();
    const locate = locatorIn({
        pointers,
        containers: pointers,
        shared: new Set(),
        fieldPointer: (node, field, base) => {
            const isEvent = "at" in node;
            const below = fieldPointer(isEvent ? answer : node, field, base);
            const origins = usages.get(node);
            if (below === undefined || origins === undefined)
                return below;
            const slash = below.indexOf("/");
            const origin = origins[slash < 0 ? below : below.slice(0, slash)];
            return origin === undefined ? below : `${origin}/${below}`;
        },
    });
    const notePart = (part, pointer) => {
        pointers.set(part, pointer);
        if (part.type !== "text")
            return;
        part.citations?.forEach((citation, index) => {
            pointers.set(citation, `${pointer}/citations/${index}`);
        });
    };
    return {
        locate,
        note(event) {
            switch (event.type) {
                case "start":
                    pointers.set(event.message, eventPointer(event));
                    pointers.set(event.message.usage, eventPointer(event, "usage"));
                    return;
                case "part_start":
                    notePart(event.part, eventPointer(event));
                    return;
                case "usage":
                    pointers.set(event.usage, eventPointer(event));
                    if (event.origins !== undefined)
                        usages.set(event.usage, event.origins);
                    return;
                case "citation":
                    pointers.set(event.citation, eventPointer(event));
                    return;
                case "stop":
                    pointers.set(event, eventPointer(event));
                    return;
                default:
                    return;
            }
        },
    };
}
//# sourceMappingURL=places.js.map