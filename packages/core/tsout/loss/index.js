export { acceptLosses, readAcceptances } from "./accept.js";
export { lossCatalogue, lossDefinition } from "./catalogue/index.js";
export { groupLosses, lossEffects, lossSeverities, summarizeLosses, } from "./group.js";
export { compareLosses } from "./novelty.js";
export { enforcePolicy } from "./policy.js";
export { createReport, lose, resolveLosses, } from "./report.js";
export { acceptsState, loseResidue, sweepForeign } from "./sweep.js";
export { createBlindTrace, createTrace, irLocator, locatorIn, traceLocator, } from "./trace.js";
//# sourceMappingURL=index.js.map