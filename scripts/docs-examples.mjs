// Checks the examples of README.md, docs/*.md and packages/*/README.md: each ```ts block is compiled against the built packages; one with
// `// prints:` comments is also run, and its output must be what they say. A block that needs a network or a fragment
// that does not compile alone is marked ```typescript instead.
//
//   console.log(1 + 1); // prints: 2
//   console.log("a\nb");
//   // prints: a
//   // b
//   // prints:
//   // a line by itself
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository, run, tsc } from "./run.mjs";

/** Inside the workspace, so that the packages are found under their names. */
const folder = join(repository, ".docs-examples");

/** @typedef {{ name: string, place: string, code: string, prints: string[] | undefined }} Example */

/** @returns {string[]} */
function documents() {
  const docs = join(repository, "docs");
  const pages = existsSync(docs) ? readdirSync(docs).filter((name) => name.endsWith(".md")) : [];
  const packages = readdirSync(join(repository, "packages")).map((name) => `packages/${name}/README.md`);
  return ["README.md", ...pages.sort().map((name) => `docs/${name}`), ...packages.sort()].filter((path) =>
    existsSync(join(repository, path)),
  );
}

/**
 * @param {string} path
 * @returns {Example[]}
 */
function examplesOf(path) {
  const text = readFileSync(join(repository, path), "utf8");
  return [...text.matchAll(/^```ts[ \t]*\n([\s\S]*?)^```[ \t]*$/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    const code = match[1] ?? "";
    return { name: `${path.replaceAll(/[/.]/g, "-")}-${line}`, place: `${path}:${line}`, code, prints: printsOf(code) };
  });
}

/**
 * The lines that an example promises to print; `undefined` when it promises nothing.
 * @param {string} code
 */
function printsOf(code) {
  /** @type {string[]} */
  const prints = [];
  let continues = /** @type {boolean} */ (false);
  for (const line of code.split("\n")) {
    const pattern = continues && !line.includes("// prints:") ? /^\s*\/\/(.*)$/ : /(?:^|\s)\/\/ prints:(.*)$/;
    const text = pattern.exec(line)?.[1];
    // With nothing behind it, `prints:` only heads the lines below.
    if (text !== undefined && (continues || text.trim() !== "")) prints.push(text.replace(/^ /, "").trimEnd());
    continues = text !== undefined;
  }
  return prints.length > 0 ? prints : undefined;
}

/**
 * @param {Example} example
 * @returns {string | undefined} what is wrong
 */
function mistakeOf({ name, place, prints }) {
  if (prints === undefined) return undefined;
  const output = run(process.execPath, [join(folder, "out", `${name}.js`)], { timeout: 30_000 });
  const printed = output
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  if (printed.join("\n") === prints.join("\n").trimEnd()) return undefined;
  return `${place} prints\n${printed.join("\n")}\nbut promises\n${prints.join("\n")}`;
}

const examples = documents().flatMap(examplesOf);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
try {
  for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), code);
  const compilerOptions = {
    rootDir: ".",
    outDir: "out",
    types: ["node"],
    isolatedDeclarations: false,
    declaration: false,
    sourceMap: false,
  };
  const config = { extends: "../tsconfig.base.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  if (examples.length > 0) run(process.execPath, [tsc, "-p", folder]);
  const mistakes = examples.map(mistakeOf).filter((mistake) => mistake !== undefined);
  if (mistakes.length > 0) throw new Error(mistakes.join("\n\n"));
  const ran = examples.filter(({ prints }) => prints !== undefined).length;
  console.log(`${examples.length} examples compile, ${ran} of them print what they promise`);
} catch (error) {
  // File names hold the page and the line of the example.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
