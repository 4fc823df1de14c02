// Checks the packages as a stranger gets them: packs them, runs publint and attw over the tarballs, installs them in an
// empty project, compiles a strict program that imports every export, and runs it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository, run, tsc } from "./run.mjs";

const PACKAGES = ["packages/core", "packages/catalog", "packages/gateway", "packages/cli"];
const rootManifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

/** Each way in which a consumer may compile. Core must need neither the DOM nor the types of Node; the gateway one of them, for `fetch`. */
const CONSUMERS = {
  "nodenext with DOM": { packages: ["core", "catalog", "gateway"], options: { module: "nodenext", types: [] } },
  "nodenext with Node types": {
    packages: ["core", "catalog", "gateway"],
    options: { module: "nodenext", lib: ["es2023"], types: ["node"] },
  },
  bundler: { packages: ["core", "catalog"], options: { module: "esnext", moduleResolution: "bundler", types: [] } },
};

/**
 * @param {string} packageFolder
 * @param {string} destination
 * @returns {string} path of the tarball
 */
function pack(packageFolder, destination) {
  const output = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", destination], {
    cwd: join(repository, packageFolder),
  });
  /** @type {unknown} */
  const report = JSON.parse(output);
  const [packed] = /** @type {{ filename: string, files: { path: string }[] }[]} */ (
    Array.isArray(report) ? report : Object.values(/** @type {object} */ (report))
  );
  if (packed === undefined) throw new Error(`npm pack gave no tarball for ${packageFolder}`);
  // Without its declarations a module is `any` to consumers, and neither publint nor attw says so.
  const paths = new Set(packed.files.map(({ path }) => path));
  for (const file of filesOfExports(packageFolder)) {
    if (!paths.has(file)) throw new Error(`${packageFolder} exports ${file}, which it does not hold`);
  }
  return join(destination, packed.filename);
}

/**
 * The files that the exports of a package name: its modules and their declarations.
 * @param {string} packageFolder
 */
function filesOfExports(packageFolder) {
  /** @type {{ exports: Record<string, string | Record<string, string>> }} */
  const { exports } = JSON.parse(readFileSync(join(repository, packageFolder, "package.json"), "utf8"));
  return Object.values(exports).flatMap((target) =>
    (typeof target === "string" ? [target] : Object.values(target)).map((path) => path.replace(/^\.\//, "")),
  );
}

/**
 * Specifiers of all modules that an installed package exports.
 * @param {string} installed
 */
function entriesOf(installed) {
  const { name, exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  return Object.keys(exports)
    .filter((key) => !key.endsWith(".json"))
    .map((key) => join(name, key).replaceAll("\\", "/"));
}

/**
 * A program that names every exported value and does not compile when one of them is `any`.
 * @param {readonly (readonly [specifier: string, names: readonly string[]])[]} modules
 */
function consumerProgram(modules) {
  return [
    "type Typed<T, Name> = 0 extends 1 & T ? [Name, 'is any'] : true;",
    ...modules.map(([specifier], index) => `import * as module${index} from "${specifier}";`),
    ...modules.flatMap(([specifier, names], index) =>
      names.map((name) => {
        const value = `typeof module${index}[${JSON.stringify(name)}]`;
        return `true satisfies Typed<${value}, ${JSON.stringify(`${name} of ${specifier}`)}>;`;
      }),
    ),
    "",
  ].join("\n");
}

/**
 * @param {string} consumer
 * @param {readonly string[]} tarballs
 */
function install(consumer, tarballs) {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const peers = ["fast-check", "@types/node"].map((name) => `${name}@${rootManifest.devDependencies[name]}`);
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs, ...peers], {
    cwd: consumer,
  });
}

/** @param {string} consumer */
function checkConsumer(consumer) {
  for (const [name, { packages, options }] of Object.entries(CONSUMERS)) {
    const modules = packages.flatMap((folder) => modulesOf(consumer, folder));
    writeFileSync(join(consumer, "consumer.ts"), consumerProgram(modules));
    const compilerOptions = { strict: true, target: "es2023", noEmit: true, skipLibCheck: false, ...options };
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    run(process.execPath, [tsc, "-p", consumer]);
    console.log(`consumer (${name}): ${modules.length} modules compile, no export is any`);
  }
  const version = run(join(consumer, "node_modules/.bin/rolecall"), ["--version"], { cwd: consumer }).trim();
  console.log(`consumer: rolecall --version prints ${version}`);
}

/**
 * The modules of an installed package with the names of their values.
 * @param {string} consumer
 * @param {string} folder
 * @returns {(readonly [string, readonly string[]])[]}
 */
function modulesOf(consumer, folder) {
  const entries = entriesOf(join(consumer, "node_modules/@rolecall", folder));
  const script = `console.log(JSON.stringify(await Promise.all(${JSON.stringify(entries)}.map(async (entry) => [entry, Object.keys(await import(entry))]))))`;
  const modules = JSON.parse(run(process.execPath, ["--input-type=module", "--eval", script], { cwd: consumer }));
  if (modules[0][1].length === 0) throw new Error(`@rolecall/${folder} exports no value`);
  return modules;
}

const folder = mkdtempSync(join(tmpdir(), "rolecall-packages-"));
try {
  const tarballs = PACKAGES.map((path) => pack(path, folder));
  for (const tarball of tarballs) {
    run("npx", ["--no-install", "publint", "run", "--strict", tarball]);
    console.log(`publint: ${tarball.slice(folder.length + 1)}`);
  }
  // The command line exports no module for attw to look at.
  run("npx", ["--no-install", "attw", "--profile", "esm-only", ...tarballs.slice(0, -1)]);
  console.log("attw: @rolecall/core, @rolecall/catalog, @rolecall/gateway");
  const consumer = join(folder, "consumer");
  install(consumer, tarballs);
  checkConsumer(consumer);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
