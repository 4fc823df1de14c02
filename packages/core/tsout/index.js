export { inexactPlaces } from "./codec/json/inexact.js";
export { readJson, readJsonBytes, readText } from "./codec/json/json-text.js";
export { checkProfile } from "./codec/profile.js";
export { lowerSchema } from "./codec/schema/lower.js";
export { convertError, convertRequest, convertResponse, convertStream } from "./convert/convert.js";
export { createConverter, } from "./convert/converter.js";
export { detectProtocol } from "./convert/detect.js";
export { readHeaders } from "./convert/input.js";
export { loadProtocol, protocolIds } from "./convert/load.js";
export * from "./errors/index.js";
export * from "./ir/index.js";
export { acceptLosses, compareLosses, groupLosses, lossCatalogue, lossDefinition, lossEffects, lossSeverities, readAcceptances, summarizeLosses, } from "./loss/index.js";
export { createArgumentSnapshot, } from "./stream/argument-snapshot.js";
export { createReducer, reduce } from "./stream/reduce.js";
export { createSseParser, writeComment, writeSse } from "./stream/sse.js";
export * from "./transcript/index.js";
//# sourceMappingURL=index.js.map