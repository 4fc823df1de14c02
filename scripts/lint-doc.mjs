// Writes docs/lint.md from the table of rules; with --check it only says whether the page is up to date.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cell, row, writePage } from "./page.mjs";
import { repository } from "./run.mjs";

/** @type {typeof import("@rolecall/core/check")} */
const { lintRules, uncheckedRules } = await import(
  pathToFileURL(join(repository, "packages/core/dist/check/index.js")).href
);

/** @type {Record<string, string>} */
const titles = {
  "openai-chat": "OpenAI Chat Completions",
  "openai-responses": "OpenAI Responses",
  "anthropic-messages": "Anthropic Messages",
  "gemini-generate-content": "Gemini generateContent",
  conversation: "Conversations",
};
const columns = ["Rule", "Severity", "Evidence", "Description", "Source"];
const kinds = Object.entries(lintRules).filter(([, rules]) => rules.length > 0);
const total = kinds.reduce((sum, [, rules]) => sum + rules.length, 0);

/** @param {string | undefined} reason */
const unless = (reason) => (reason === undefined ? "" : ` *Not enforced: ${reason}.*`);

const text = [
  "# Rules",
  "",
  "<!-- Written by scripts/lint-doc.mjs: edit the rules in packages/core/src/check/rules, then run `npm run docs:lint`. -->",
  "",
  `What \`rolecall lint\` and \`lintRequest\` check: ${total} rules. What depends on a model, a version, betas or a server that nobody stated is no`,
  "finding.",
  "",
  "- **Severity** is `error`, where the service answers 400, or `warning`, where it may, or where what comes back is not what was meant.",
  "- **Evidence** says where a rule is known from: the `types` of the vendor's SDK, the published `openapi` document, an `issue` that shows a",
  "  live answer of the service, a `recording` of one, the vendor's `documentation`, the source of the vendor's `sdk`, or general `knowledge`,",
  "  which is never an error.",
  "- `rolecall lint --repair` mends what can be mended without making anything up that only the author can know, and reports each mend as a",
  "  [loss](losses.md).",
  ...kinds.flatMap(([kind, rules]) => [
    "",
    `## ${titles[kind] ?? kind}`,
    "",
    row(columns),
    row(columns.map(() => "---")),
    ...rules.map(({ id, severity, evidence, description, source, unenforced }) =>
      row([`\`${id}\``, severity, evidence, cell(description) + unless(unenforced), cell(source)]),
    ),
  ]),
  "",
  "## Not checked here",
  "",
  row(["Rule", "Description", "Where"]),
  row(["---", "---", "---"]),
  ...uncheckedRules.map(({ id, description, where }) => row([`\`${id}\``, cell(description), cell(where)])),
  "",
].join("\n");

writePage("docs/lint.md", text, "the table of rules", "docs:lint", `${total} rules`);
