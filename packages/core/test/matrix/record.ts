import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../../test/source-files.ts";
import type { ProtocolId } from "../../src/index.ts";

/** The protocols as the record and the corpus call them. */
export const shortNames: { readonly [protocol in ProtocolId]: string } = {
  "openai-chat": "chat",
  "openai-responses": "responses",
  "anthropic-messages": "anthropic",
  "gemini-generate-content": "gemini",
};

/** The kinds of loss of one concept on its way from one protocol to another, `carried` where there is none. */
export interface Difference {
  readonly row: string;
  readonly from: string;
  readonly to: string;
  readonly says: string;
  readonly does: readonly string[];
}

/** A line of the record: each cell is a list, and `any` stands for all protocols. */
export interface Deviation {
  readonly rows: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly says: readonly string[];
  readonly does: readonly string[];
  readonly why: string;
}

const record = readFileSync(join(repository, "docs/adr/0009-wire-matrix.md"), "utf8");

/** The lines of the table that has these columns. */
function table(...columns: readonly string[]): string[][] {
  const head = `| ${columns.join(" | ")} |`;
  const lines = record.slice(record.indexOf(head)).split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) => line.slice(2, -2).split(" | "));
}

const list = (cell = ""): string[] => cell.split(", ");

/** Where conversions differ from the table of the corpus, and why. */
export const deviations: readonly Deviation[] = table("Rows", "From", "To", "Says", "Does", "Why").map(
  ([rows, from, to, says, does, why = ""]) => ({
    rows: list(rows),
    from: list(from),
    to: list(to),
    says: list(says),
    does: list(does),
    why,
  }),
);

/** What a protocol has according to the corpus and what has no example here, as `row protocol`. */
export const withoutExample: readonly string[] = table("Rows", "Protocols", "Why").flatMap(([rows, protocols]) =>
  list(rows).flatMap((row) => list(protocols).map((protocol) => `${row} ${protocol}`)),
);

/** Whether a line of the record gives the reason of a difference in one of its rows. */
export function explains({ rows, from, to, says, does }: Deviation, difference: Difference): boolean {
  const isOf = (names: readonly string[], name: string): boolean => names.includes("any") || names.includes(name);
  return (
    rows.includes(difference.row) &&
    isOf(from, difference.from) &&
    isOf(to, difference.to) &&
    says.includes(difference.says) &&
    difference.does.some((kind) => does.includes(kind))
  );
}
