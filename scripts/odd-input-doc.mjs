// Writes docs/odd-input.md from fixtures/odd-input.json, which tests hold to; with --check it only says whether the page is up to date.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cell, row, writePage } from "./page.mjs";
import { repository } from "./run.mjs";

const { texts, bodies } = JSON.parse(readFileSync(join(repository, "fixtures/odd-input.json"), "utf8"));

/** Characters that a reader cannot see or tell apart, as escapes. */
const visible = (/** @type {string} */ text) =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
const code = (/** @type {string} */ text) => (text === "" ? "(nothing)" : `\`${cell(visible(text))}\``);
const pieces = (/** @type {readonly (string | readonly [string, number])[]} */ list) =>
  list
    .map((piece) => (typeof piece === "string" ? code(piece) : `${code(piece[0])} × ${piece[1].toLocaleString("en")}`))
    .join(" ");
const shown = (/** @type {any} */ value) => code(JSON.stringify(value));

/** @param {any} one */
function inputCell({ text, bytes, repeat, member, content }) {
  if (bytes !== undefined) return `bytes ${code(bytes.replace(/..(?=.)/g, "$& "))}`;
  return text === undefined ? pieces(repeat ?? member ?? content) : code(text);
}

/** @param {any} one */
function readCell({ gives, keeps, refused, tooDeep }) {
  if (refused !== undefined) return `refused: ${refused}`;
  if (tooDeep === true) return "read, and refused as a body: too deep";
  return keeps === true ? "read as it is" : shown(gives);
}

/** @param {any} outcome */
function outcomeCell({ losses, refused, sent }) {
  if (refused !== undefined) {
    const [name, path] = refused.split(" ");
    return `refused: \`${name}\` at ${code(path)}`;
  }
  const lost = losses.map((/** @type {string} */ loss) => {
    const end = loss.indexOf(" ");
    return `[\`${loss.slice(0, end)}\`](losses.md) at ${code(loss.slice(end + 1))}`;
  });
  return [...(sent === undefined ? [] : [shown(sent)]), lost.length === 0 ? "no loss" : lost.join(", ")].join("; ");
}

/** @param {readonly string[]} columns @param {readonly string[][]} rows */
const table = (columns, rows) => [row(columns), row(columns.map(() => "---")), ...rows.map((cells) => row(cells))];

/** What is limited, how, and what is beyond it. */
const limits = [
  [
    "Nesting of a body, an error or a value of a stream",
    "512 levels",
    "`DecodeError` with the first steps to the place",
  ],
  [
    "An event of a stream, or an element of a list that is streamed",
    "64 Mi characters; `maximumLength` of `createSseParser`",
    "`StreamError`",
  ],
  [
    "White space before the first event",
    "64 Ki characters",
    "what follows is read as server-sent events, not as a list",
  ],
  ["What a service sent in place of a stream", "64 Ki characters", "the rest is no part of the error"],
  [
    "Counts of a stream that no protocol knows, said again with each count",
    "64 names",
    "the others are reported at their frames",
  ],
  [
    "Places of a list that a piece of arguments leaves out (Gemini)",
    "1,000",
    "the piece is kept as it is, and reported toward other protocols",
  ],
  ["A pattern of a profile", "500 characters", "`ConfigError`"],
  ["Body of a request, at the gateway (`limits.body`)", "32 MiB", "status 413"],
  ["Headers of a request, at the gateway (`limits.headers`)", "32 KiB", "status 431"],
  [
    "An answer that is converted as a whole, or an event of a stream, at the gateway (`limits.answer`)",
    "64 MiB",
    "status 502, or an error event",
  ],
  ["Messages, parts, tools, candidates, keys", "none", "time and memory grow with the size of the body alone"],
];

const number = [...texts, ...bodies].reduce((sum, { cases }) => sum + cases.length, 0);
const page = [
  "# Odd input",
  "",
  "<!-- Written by scripts/odd-input-doc.mjs: edit fixtures/odd-input.json, then run `npm run docs:odd-input`. -->",
  "",
  "What is odd and right, and what is refused. Whatever comes in, a conversion gives a value with its losses, or throws an error of Rolecall",
  `with a place; it never stops halfway, and leaves nothing behind. Tests hold to each of these ${number} cases; \`npm run fuzz\` looks for others.`,
  "",
  "## As JSON",
  "",
  "A body that is given as text or as bytes is JSON as RFC 8259 has it, in UTF-8, with one byte order mark before it at most. Anything else is a",
  "`DecodeError` with line and column, which never quotes the text.",
  ...texts.flatMap((/** @type {any} */ { area, cases }) => [
    "",
    `### ${area}`,
    "",
    ...table(
      ["What", "Input", "Result"],
      cases.map((/** @type {any} */ one) => [one.what, inputCell(one), readCell(one)]),
    ),
  ]),
  "",
  "## In a body",
  "",
  "Members that are added to a request of Chat Completions, or the content of its message. Within one protocol it comes back as it was, but for",
  "what a JSON reader cannot hold; toward another, here Anthropic Messages, whatever does not arrive is reported.",
  ...bodies.flatMap((/** @type {any} */ { area, cases }) => [
    "",
    `### ${area}`,
    "",
    ...table(
      ["What", "Input", "Within its protocol", "Toward another"],
      cases.map((/** @type {any} */ one) => [one.what, inputCell(one), outcomeCell(one.own), outcomeCell(one.other)]),
    ),
  ]),
  "",
  "## Limits",
  "",
  ...table(["What", "Limit", "Beyond it"], limits),
  "",
].join("\n");

writePage("docs/odd-input.md", page, "fixtures/odd-input.json", "docs:odd-input", `${number} cases`);
