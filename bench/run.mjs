// Measures what the documentation promises: npm run bench, or node bench/run.mjs [--json] after a build.
import { acrossTurns, conversionFigures, growthFigures } from "./conversions.mjs";
import { modelStreamFigures } from "./model-streams.mjs";
import { importFigures, memoryFigures } from "./processes.mjs";
import { printFigures } from "./table.mjs";

const corpus = process.env.ROLECALL_CORPUS || undefined;
printFigures(`${corpus === undefined ? "generated" : "corpus"} conversation`, [
  ...conversionFigures(corpus),
  ...acrossTurns(corpus),
  ...growthFigures(),
  ...(await modelStreamFigures()),
  ...importFigures(15),
  ...memoryFigures(5),
]);
