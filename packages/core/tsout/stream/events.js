/** The place of an event, or of something below what it says, from the root of the stream. */
export function eventPointer(event, below = "") {
    return `/events/${event.at}${event.path}${below === "" ? "" : `/${below}`}`;
}
//# sourceMappingURL=events.js.map