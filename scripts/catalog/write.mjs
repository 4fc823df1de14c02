// Writes the catalogue of models: npm run catalog. Its source is a development dependency, so it needs no network; a newer version of that renews it.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../run.mjs";
import { catalogFiles } from "./files.mjs";

const providers = join(repository, "packages/catalog/src/providers");
rmSync(providers, { recursive: true, force: true });
mkdirSync(providers, { recursive: true });
for (const [path, text] of catalogFiles()) writeFileSync(join(repository, path), text);
