export { type Acceptance, acceptLosses, readAcceptances } from "./accept.ts";
export { type LossCode, type LossDefinition, lossCatalogue, lossDefinition } from "./catalogue/index.ts";
export {
  groupLosses,
  type LossGroup,
  type LossSummary,
  lossEffects,
  lossSeverities,
  mergeGroups,
  summarizeLosses,
} from "./group.ts";
export { compareLosses, type Novelty } from "./novelty.ts";
export { enforcePolicy, type LossPolicy } from "./policy.ts";
export {
  createReport,
  type KnownDrafts,
  type Locator,
  type LossDraft,
  type LossValues,
  lose,
  type Report,
  resolveLosses,
  usualDetail,
} from "./report.ts";
export { acceptsState, createSweep, loseResidue, residueCode, sweepForeign } from "./sweep.ts";
export {
  copyTrace,
  createBlindTrace,
  createTrace,
  type FieldPointer,
  irLocator,
  locatorIn,
  type Trace,
  traceLocator,
} from "./trace.ts";
