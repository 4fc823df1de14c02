// Runs one program with @rolecall/core in Node, Bun, Deno and Chromium, and compares what they say: npm run test:runtimes
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { installFolder } from "../install-folder.mjs";
import { repository, run } from "../run.mjs";

const folder = join(repository, "scripts/runtimes");
const program = join(folder, "program.mjs");
const seconds = 1000;

/** The binary that an npm package brings for this machine. @param {string} scope @param {readonly string[]} names @param {string} file */
function binaryOf(scope, names, file) {
  const found = names.map((name) => join(folder, "node_modules", scope, name, file)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${scope} has no binary for ${process.platform} ${process.arch}`);
  return found;
}

/** Where Chromium is; it is installed where that is possible. */
function chromium() {
  const paths = [
    process.env.CHROMIUM ?? "",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  const find = () => paths.find((path) => path !== "" && existsSync(path));
  const found = find();
  if (found !== undefined) return found;
  if (process.platform === "linux" && process.getuid?.() === 0) {
    console.log("installing chromium");
    for (const words of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    ])
      spawnSync("apt-get", words, {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
  }
  const installed = find();
  if (installed === undefined)
    throw new Error("no Chromium: install it (apt-get install chromium), or say where it is with CHROMIUM");
  return installed;
}

/** The program as one file for a browser: nothing of it may need Node. */
async function bundle() {
  const built = await rolldown({ input: join(folder, "smoke.mjs"), platform: "browser", logLevel: "warn" });
  const { output } = await built.generate({ format: "esm", codeSplitting: false });
  await built.close();
  const [{ code }] = output;
  if (/\bfrom\s*"node:|\brequire\(/.test(code)) throw new Error("the bundle for browsers needs Node");
  return code;
}

/** What the program says in a page of Chromium. @param {string} path */
async function inBrowser(path) {
  const code = await bundle();
  const page = `<!doctype html><meta charset="utf-8"><pre id="said"></pre><script type="module">
    import { smoke } from "/smoke.js";
    document.getElementById("said").textContent = await smoke().catch((error) => "failed: " + error.stack);
  </script>`;
  const server = createServer((request, response) => {
    const isScript = request.url === "/smoke.js";
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8",
    });
    response.end(isScript ? code : page);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const profile = mkdtempSync(join(tmpdir(), "rolecall-chromium-"));
  try {
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
    const quiet = ["--disable-background-networking", "--disable-component-update", `--user-data-dir=${profile}`];
    const { stdout } = await promisify(execFile)(
      path,
      [...flags, ...quiet, "--virtual-time-budget=20000", "--dump-dom", `http://127.0.0.1:${port}/`],
      { timeout: 90 * seconds, maxBuffer: 1 << 26 },
    );
    const text = /<pre id="said">([\s\S]*?)<\/pre>/.exec(stdout)?.[1] ?? "";
    return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&nbsp;", "\u00a0").replaceAll("&amp;", "&");
  } finally {
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

installFolder("scripts/runtimes");
const { platform, arch } = process;
const machine = arch === "arm64" ? "aarch64" : arch;
const bun = binaryOf("@oven", [`bun-${platform}-${machine}`, `bun-${platform}-${machine}-musl`], "bin/bun");
const deno = binaryOf("@deno", [`${platform}-${arch}-glibc`, `${platform}-${arch}`], "deno");
const browser = chromium();
const expected = run(process.execPath, [program]).trim();
/** @type {readonly (readonly [string, string, () => string | Promise<string>])[]} */
const runtimes = [
  ["Bun", run(bun, ["--version"]), () => run(bun, ["run", program])],
  ["Deno", run(deno, ["--version"]), () => run(deno, ["run", "--allow-read", "--node-modules-dir=manual", program])],
  ["Chromium", run(browser, ["--version"]), () => inBrowser(browser)],
];
console.log(`Node ${process.version}: ${expected.length} characters`);
let failed = 0;
for (const [name, version, say] of runtimes) {
  let said = "";
  try {
    said = (await say()).trim();
  } catch (error) {
    said = error instanceof Error ? error.message : String(error);
  }
  const isSame = said === expected;
  if (!isSame) failed++;
  const words = (version.trim().split("\n")[0] ?? "").replace(/^(?:deno|Chromium) /, "").split(" ")[0];
  console.log(`${name} ${words}: ${isSame ? "the same" : `something else: ${said.slice(0, 500)}`}`);
}
console.log(`${runtimes.length - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;
