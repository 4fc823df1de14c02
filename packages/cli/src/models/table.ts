import type { Model, Price } from "@rolecall/core/models";
import type { Output } from "../environment.ts";
import { paintOf } from "../terminal/paint.ts";
import { columnsOf, pad, shorten, visible } from "../terminal/text.ts";
import { protocolNames } from "./known.ts";

const headings = ["model", "type", "asked in", "window", "answer", "$ in", "$ out", "takes"] as const;

/** A list of models: what it is, how it is asked, tokens, dollars for a million tokens, what it takes. */
export function renderModels(models: readonly Model[], output: Output): string {
  const paint = paintOf(output);
  const rows = models.map((model) => [
    visible(`${model.provider}/${model.id}`),
    model.type,
    protocolNames[model.api as keyof typeof protocolNames] ?? visible(model.api),
    tokens(model.contextWindow),
    tokens(model.maxTokens),
    dollars(model.cost, "input"),
    dollars(model.cost, "output"),
    (model.input ?? []).join(" "),
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => columnsOf(row[column] as string))),
  );
  const line = (cells: readonly string[]): string =>
    shorten(
      cells
        .map((cell, column) => pad(cell, widths[column] as number))
        .join("  ")
        .trimEnd(),
      output.columns,
    );
  return [paint.bold(line(headings)), ...rows.map(line), ""].join("\n");
}

/** Tokens in thousands and millions, as windows are known by. */
function tokens(number: number | undefined): string {
  if (number === undefined) return "";
  if (number >= 1_000_000) return `${Number((number / 1_000_000).toFixed(2))}M`;
  return number >= 1000 ? `${Math.round(number / 1000)}k` : String(number);
}

function dollars(price: Price | undefined, which: "input" | "output"): string {
  return price === undefined ? "" : `~${price[which]}`;
}
