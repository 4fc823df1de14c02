// Bundles a package: node ../../scripts/bundle.mjs in its folder, after tsc has written the declarations. Modules that are loaded together
// become one file, because each file costs a start of Node a third of a millisecond; what is loaded on demand stays apart.
import { readFileSync } from "node:fs";
import { rolldown } from "rolldown";

/** @type {{ exports: Record<string, string | { default: string }>, devDependencies?: Record<string, string> }} */
const { exports, devDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [target.default]));
// A command exports nothing.
if (entries.length === 0) entries.push("./dist/main.js");

const bundle = await rolldown({
  input: Object.fromEntries(
    entries.map((path) => {
      const name = path.replace(/^\.\/dist\/|\.js$/g, "");
      return [name, `src/${name}.ts`];
    }),
  ),
  // Packages, each other among them, are loaded from where they are installed; those that are needed for the build alone become part of it.
  external: (id) => /^[^./]/.test(id) && !Object.keys(devDependencies).some((name) => id.startsWith(`${name}/`)),
  platform: "node",
});
await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: {
    groups: [
      { name: "main", test: /\/src\/index\.ts$/ },
      { name: "shared", test: /\/src\//, minShareCount: 2 },
    ],
  },
});
await bundle.close();
