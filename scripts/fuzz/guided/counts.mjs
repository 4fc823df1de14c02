/** How often each branch was taken, by its number: the instrumented copy of core counts here. There is room for more than it has. */
export const counts = new Uint32Array(1 << 17);
