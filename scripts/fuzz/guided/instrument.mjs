// Jazzer.js, the usual tool for this, is native code that needs glibc 2.38, which Debian 12 and the images of Node that build on it do not have.
// A copy of core that counts how often each of its branches is taken, so that a search knows what an input reaches.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { builtFolder } from "../built.mjs";

/** @typedef {{ at: number, text: string, closes: boolean }} Insert */
/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} AstNode */

/**
 * @returns {{ folder: string, branches: number, remove: () => void }}
 */
export function instrumentCore() {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-branches-"));
  cpSync(builtFolder, folder, { recursive: true, filter: (file) => !/\.(?:map|ts)$/.test(file) });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const counts = new URL("counts.mjs", import.meta.url).href;
  let branches = 0;
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js") || file.startsWith("testing")) continue;
    const source = readFileSync(join(folder, file), "utf8");
    /** @type {Insert[]} */
    const inserts = [];
    visit(/** @type {any} */ (parseAst(source)), inserts, () => branches++);
    writeFileSync(
      join(folder, file),
      `import { counts as __counts } from "${counts}";\n${withInserts(source, inserts)}`,
    );
  }
  return { folder, branches, remove: () => rmSync(folder, { recursive: true }) };
}

/**
 * @param {AstNode} node
 * @param {Insert[]} inserts
 * @param {() => number} next the number of a new branch
 */
function visit(node, inserts, next) {
  const count = () => `__counts[${next()}]++`;
  const open = (/** @type {number} */ at, /** @type {string} */ text) => inserts.push({ at, text, closes: false });
  const close = (/** @type {number} */ at, /** @type {string} */ text) => inserts.push({ at, text, closes: true });
  const statement = (/** @type {AstNode | null} */ body) => {
    if (body === null) return;
    if (body.type === "BlockStatement") open(body.start + 1, `${count()};`);
    else {
      open(body.start, `{${count()};`);
      close(body.end, "}");
    }
  };
  const expression = (/** @type {AstNode} */ body) => {
    open(body.start, `(${count()},`);
    close(body.end, ")");
  };
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      if (node["body"].type === "BlockStatement") statement(node["body"]);
      else expression(node["body"]);
      break;
    case "IfStatement":
      statement(node["consequent"]);
      statement(node["alternate"]);
      break;
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      statement(node["body"]);
      break;
    case "ConditionalExpression":
      expression(node["consequent"]);
      expression(node["alternate"]);
      break;
    case "LogicalExpression":
      expression(node["right"]);
      break;
    case "SwitchCase":
      if (node["consequent"].length > 0) open(node["consequent"][0].start, `${count()};`);
      break;
  }
  for (const child of Object.values(node))
    for (const item of Array.isArray(child) ? child : [child])
      if (typeof item === "object" && item !== null && typeof item.type === "string") visit(item, inserts, next);
}

/**
 * @param {string} source
 * @param {Insert[]} inserts those of a node before those of what is within it
 */
function withInserts(source, inserts) {
  const order = new Map(inserts.map((insert, index) => [insert, index]));
  // At one place what is within closes before what is around it, and opens behind it.
  inserts.sort((left, right) => {
    if (left.at !== right.at) return left.at - right.at;
    if (left.closes !== right.closes) return left.closes ? -1 : 1;
    const inward = Number(order.get(left)) - Number(order.get(right));
    return left.closes ? -inward : inward;
  });
  let text = "";
  let from = 0;
  for (const { at, text: added } of inserts) {
    text += source.slice(from, at) + added;
    from = at;
  }
  return text + source.slice(from);
}
