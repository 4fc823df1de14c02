export { encodeArguments, rawArgumentsKey } from "../../../codec/content/call-object.ts";
