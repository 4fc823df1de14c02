/** Few services compress what they were asked to send as it is, so the module is loaded with the first that does. */
export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");
