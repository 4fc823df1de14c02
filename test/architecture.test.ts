import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import type { SourceFile } from "./source-files.ts";
import { importsOf, readSources, repository, resolveImport } from "./source-files.ts";

/** Top-level folders of core (or files of that name). Each imports only itself and those before it. */
const LAYERS = [
  "ir",
  "errors",
  "loss",
  "json",
  "transcript",
  "codec",
  "stream",
  "protocols",
  "convert",
  "check",
  "endpoint",
  "models",
  "providers",
  "testing",
];

/** The file names of a protocol folder: one that exists in any of them exists in all of them. */
const PROTOCOL_FILES = [
  "index.ts",
  "wire.ts",
  "profile.ts",
  "redundancy.ts",
  "request.ts",
  "response.ts",
  "context.ts",
  "fields.ts",
  "messages/decode.ts",
  "messages/encode.ts",
  "parts/block.ts",
  "parts/cache.ts",
  "parts/calls.ts",
  "parts/citations.ts",
  "parts/media.ts",
  "parts/reasoning.ts",
  "settings/decode.ts",
  "settings/encode.ts",
  "settings/tool-choice.ts",
  "settings/writer.ts",
  "tools.ts",
  "stop-reason.ts",
  "usage.ts",
  "errors.ts",
  "stream/index.ts",
  "stream/decode.ts",
  "stream/encode.ts",
  "stream/whole.ts",
  "stream/words.ts",
];

/** File names that some protocol folders may have and others not. */
const EXTRA_PROTOCOL_FILES = [
  "stream/answer.ts",
  "stream/block.ts",
  "stream/calls.ts",
  "stream/choice.ts",
  "stream/chunk.ts",
  "stream/items.ts",
  "stream/message-delta.ts",
  "stream/skeleton.ts",
  "stream/snapshot.ts",
  "stream/partial.ts",
  "candidate.ts",
  "spelling.ts",
  "parts/cited-text.ts",
  "parts/free-text.ts",
  "parts/item.ts",
  "parts/reasoning-content.ts",
  "parts/results.ts",
  "parts/server-tools.ts",
  "settings/residue.ts",
  "settings/reasoning.ts",
  "messages/arrange.ts",
  "messages/assistant.ts",
  "messages/items.ts",
  "messages/placement.ts",
  "messages/system.ts",
  "messages/turn.ts",
];

/** Packages that a layer may import; all others import none. They are an optional peer dependency of core, or become a part of it when it is built. */
const PACKAGES_OF_LAYER: Record<string, RegExp> = {
  testing: /^fast-check$/,
  providers: /^@rolecall\/catalog\/[\w-]+$/,
};

const MAX_LINES = 400;
const MAX_FILES = 15;
/** Files and folders that may be larger, by path from the root of the repository, each with its reason. */
const LARGE_FILES: Record<string, string> = {};
const LARGE_FOLDERS: Record<string, string> = {
  "packages/catalog/src/providers": "generated, a file for each provider",
};

const core = readSources(join(repository, "packages/core/src"));

/** The layer of a path of core; the root `index.ts` belongs to none. */
function layerOf(path: string): string | undefined {
  return path === "index.ts" ? undefined : path.split("/")[0]!.replace(/\.ts$/, "");
}

function protocolOf(path: string): string | undefined {
  return /^protocols\/([^/]+)\//.exec(path)?.[1];
}

/** One line per import that `broken` gives a reason against. */
function violations(
  files: readonly SourceFile[],
  broken: (from: string, specifier: string, target?: string) => unknown,
) {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }) => {
      if (specifier === undefined) return [];
      const reason = broken(path, specifier, resolveImport(path, specifier));
      return reason ? [`${path} imports ${specifier}: ${reason}`] : [];
    }),
  );
}

function directionViolations(files: readonly SourceFile[]) {
  return violations(files, (from, _, target) => {
    if (target === undefined || from === "index.ts") return false;
    if (target.startsWith("../")) return "outside src";
    const layer = layerOf(from)!;
    const targetLayer = layerOf(target);
    if (targetLayer === undefined) return "nothing imports the root index";
    return LAYERS.indexOf(targetLayer) > LAYERS.indexOf(layer) && `${targetLayer} comes after ${layer}`;
  });
}

function protocolViolations(files: readonly SourceFile[]) {
  return violations(files, (from, _, target) => {
    const [protocol, other] = [protocolOf(from), protocolOf(target ?? "")];
    return protocol !== undefined && other !== undefined && protocol !== other && "a protocol imports no other";
  });
}

function packageViolations(files: readonly SourceFile[]) {
  return violations(files, (from, specifier, target) => {
    const allowed = PACKAGES_OF_LAYER[layerOf(from) ?? ""];
    return target === undefined && allowed?.test(specifier) !== true && "core imports no package and no Node module";
  });
}

/** File names that differ between protocol folders, or that no list knows. */
function protocolFileViolations(files: readonly SourceFile[]) {
  const folders = new Map<string, string[]>();
  for (const { path } of files) {
    const protocol = protocolOf(path);
    if (protocol === undefined) continue;
    folders.set(protocol, [...(folders.get(protocol) ?? []), path.slice(`protocols/${protocol}/`.length)]);
  }
  const expected = PROTOCOL_FILES.filter((name) => [...folders.values()].some((names) => names.includes(name)));
  return [...folders].flatMap(([protocol, names]) => [
    ...expected.filter((name) => !names.includes(name)).map((name) => `protocols/${protocol} lacks ${name}`),
    ...names
      .filter((name) => !PROTOCOL_FILES.includes(name) && !EXTRA_PROTOCOL_FILES.includes(name))
      .map((name) => `protocols/${protocol} has ${name}, which is in no list of this test`),
  ]);
}

/** Protocol files that are loaded together with a file, with the imports that lead there. */
function eagerProtocols(files: readonly SourceFile[], start: string) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const chains = new Map([[start, start]]);
  for (const [path, chain] of chains) {
    for (const { specifier, eager } of byPath.get(path)?.imports ?? []) {
      const target = eager && specifier !== undefined && resolveImport(path, specifier);
      if (target && !chains.has(target)) chains.set(target, `${chain} → ${target}`);
    }
  }
  return [...chains].filter(([path]) => layerOf(path) === "protocols").map(([, chain]) => chain);
}

describe("core", () => {
  test("has no top-level folder without a place in the order", () => {
    const layers = new Set(core.map(({ path }) => layerOf(path)).filter((layer) => layer !== undefined));
    expect([...layers].filter((layer) => !LAYERS.includes(layer))).toEqual([]);
  });

  test("imports in one direction", () => {
    expect(directionViolations(core)).toEqual([]);
  });

  test("has no protocol that imports another", () => {
    expect(protocolViolations(core)).toEqual([]);
  });

  test("has the same files in each protocol folder", () => {
    expect(protocolFileViolations(core)).toEqual([]);
  });

  test("has no runtime dependency", () => {
    const manifest = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));
    expect(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })).toEqual([]);
    expect(packageViolations(core)).toEqual([]);
  });

  test("exports each protocol, and nothing below it", () => {
    const manifest = JSON.parse(readFileSync(join(repository, "packages/core/package.json"), "utf8"));
    const protocols = new Set(core.map(({ path }) => protocolOf(path)).filter((name) => name !== undefined));
    const exported = Object.keys(manifest.exports).filter((key) => key.startsWith("./protocols"));
    expect(exported.sort()).toEqual([...protocols].map((name) => `./protocols/${name}`).sort());
  });

  test("computes no import specifier", () => {
    const computed = core.filter(({ imports }) => imports.some(({ specifier }) => specifier === undefined));
    expect(computed.map(({ path }) => path)).toEqual([]);
  });

  test("loads no protocol with its root", () => {
    expect(eagerProtocols(core, "index.ts")).toEqual([]);
  });
});

describe("sizes", () => {
  const sources = ["packages/core/src", "packages/catalog/src", "packages/gateway/src", "packages/cli/src"].flatMap(
    (folder) => readSources(join(repository, folder)).map((file) => ({ ...file, path: `${folder}/${file.path}` })),
  );

  test(`no hand-written file has more than ${MAX_LINES} lines`, () => {
    const large = sources.filter(({ lines, generated }) => lines > MAX_LINES && !generated).map(({ path }) => path);
    expect(large.sort(), "a new one needs a reason in LARGE_FILES, an old one leaves it").toEqual(
      Object.keys(LARGE_FILES).sort(),
    );
  });

  test(`no folder has more than ${MAX_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => folder);
    expect(large.sort(), "a new one needs a reason in LARGE_FOLDERS, an old one leaves it").toEqual(
      Object.keys(LARGE_FOLDERS).sort(),
    );
  });
});

/** The rules above pass on sources without a violation; these show that they find one. */
describe("the rules themselves", () => {
  function file(path: string, text: string): SourceFile {
    return { path, lines: 1, generated: false, imports: importsOf(text) };
  }

  test("read every way to import", () => {
    const text = [
      `import "./effect.ts";`,
      `import type { A } from "./erased.ts";`,
      `import {\n  type B,\n  c,\n} from "./mixed.ts";`,
      `export * from "./star.ts";`,
      `export * as d from "./namespace.ts";`,
      `export type { E } from "./erased-export.ts";`,
      `// import "./comment.ts";`,
      ` * import "./docstring.ts";`,
      `export const name = "not-an-import.ts";`,
      `const f = await import("./lazy.ts");`,
      `type G = typeof import("./lazy-type.ts");`,
      `const h = import(computed);`,
    ].join("\n");
    expect(importsOf(text)).toEqual([
      { specifier: "./effect.ts", eager: true },
      { specifier: "./erased.ts", eager: false },
      { specifier: "./mixed.ts", eager: true },
      { specifier: "./star.ts", eager: true },
      { specifier: "./namespace.ts", eager: true },
      { specifier: "./erased-export.ts", eager: false },
      { specifier: "./lazy.ts", eager: false },
      { specifier: "./lazy-type.ts", eager: false },
      { specifier: undefined, eager: false },
    ]);
  });

  test("find a wrong direction, also of a type", () => {
    const wrong = file("ir/part.ts", `import type { X } from "../stream/event.ts";`);
    const right = file("stream/event.ts", `import type { Y } from "../ir/part.ts";`);
    expect(directionViolations([wrong, right])).toEqual([
      "ir/part.ts imports ../stream/event.ts: stream comes after ir",
    ]);
    expect(directionViolations([file("ir/part.ts", `import "../index.ts";`)])).toHaveLength(1);
    expect(directionViolations([file("ir/part.ts", `import "../../../cli/src/main.ts";`)])).toHaveLength(1);
  });

  test("find a protocol that imports another", () => {
    const text = `import { x } from "../b/x.ts";\nimport { y } from "./y.ts";`;
    expect(protocolViolations([file("protocols/a/x.ts", text)])).toEqual([
      "protocols/a/x.ts imports ../b/x.ts: a protocol imports no other",
    ]);
  });

  test("find a missing and an unknown file of a protocol", () => {
    const paths = ["protocols/a/index.ts", "protocols/a/wire.ts", "protocols/b/index.ts", "protocols/b/own.ts"];
    expect(protocolFileViolations(paths.map((path) => file(path, "")))).toEqual([
      "protocols/b lacks wire.ts",
      "protocols/b has own.ts, which is in no list of this test",
    ]);
  });

  test("find a package and a Node module", () => {
    const text = `import "node:fs";\nimport "fast-check";`;
    expect(packageViolations([file("ir/part.ts", text)])).toHaveLength(2);
    expect(packageViolations([file("testing/index.ts", text)])).toHaveLength(1);
  });

  test("find a protocol that is loaded by way of another file", () => {
    const files = [
      file("index.ts", `export * from "./convert/index.ts";\nimport type { P } from "./protocols/a/wire.ts";`),
      file(
        "convert/index.ts",
        `import { a } from "../protocols/a/index.ts";\nconst b = import("../protocols/b/index.ts");`,
      ),
    ];
    expect(eagerProtocols(files, "index.ts")).toEqual(["index.ts → convert/index.ts → protocols/a/index.ts"]);
  });
});
