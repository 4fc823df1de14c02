import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { repository } from "../../../test/source-files.ts";

/** Loads a package that is installed in the folder of a peer, as what is called of it here. */
export async function loadFrom<T>(peer: string, specifier: string): Promise<T> {
  const loader: { load(specifier: string): Promise<T> } = await import(
    pathToFileURL(join(repository, "bench/peers", peer, "load.mjs")).href
  );
  return loader.load(specifier);
}
