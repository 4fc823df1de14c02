import type { Message, Part } from "@rolecall/core";
import type { ModelExchange } from "@rolecall/core/models";
import type { Output } from "../environment.ts";
import { protocolNames } from "../models/known.ts";
import { figuresLine } from "../models/print-answer.ts";
import { renderGroups } from "../report/render.ts";
import type { Paint } from "../terminal/paint.ts";
import { paintOf } from "../terminal/paint.ts";
import { count, shorten, visible } from "../terminal/text.ts";
import type { Received } from "./received.ts";
import { sharedMessages } from "./received.ts";

export interface ShowView {
  readonly exchange: ModelExchange;
  readonly received: Received;
  /** The request that it is compared with. */
  readonly previous?: Received;
  /** Each loss is listed. */
  readonly losses: boolean;
}

/** What the model received, in the order in which a question about it is answered: who instructed it, what it could do, what it saw, what it did. */
export function renderShow({ exchange, received, previous, losses }: ShowView, output: Output): string {
  const paint = paintOf(output);
  const width = Number.isFinite(output.columns) ? output.columns : 160;
  const line = (text: string): string => `  ${shorten(visible(text), width - 2)}`;
  const same = previous === undefined ? 0 : sharedMessages(previous, received);
  const { api, message } = exchange;
  const sections: (readonly [heading: string, lines: readonly string[]])[] = [
    [
      "Instructions in force",
      received.instructions.map(({ authority, section, text, index, origin }) => {
        const trust = origin.trust === "trusted" ? "" : `, ${origin.trust}`;
        const name = section === undefined ? "" : `[${section}] `;
        return line(`${authority.padEnd(9)} ${name}${oneLine(text)}  (message ${index}${trust})`);
      }),
    ],
    [
      "Tools declared",
      received.tools.map(({ name, description, index }) =>
        line(`${name}  ${oneLine(description)}  (message ${index})`),
      ),
    ],
    ["Messages sent", messageLines(received.messages, same, previous !== undefined, line, paint)],
    [
      "Calls and results",
      received.calls.map(({ id, name, index, result }) => {
        const end = result === undefined ? "no result" : `message ${result.index}${result.isError ? ", an error" : ""}`;
        return line(`${name} ${id}  message ${index} → ${end}`);
      }),
    ],
    ["Answer", (message.content as readonly Part[]).map((part) => line(partText(part)))],
    [
      "End",
      [
        line(
          `stop reason ${message.stopReason}${message.rawStopReason === undefined ? "" : ` (${message.rawStopReason})`}`,
        ),
        ...(message.errorMessage === undefined ? [] : [line(`failed: ${oneLine(message.errorMessage)}`)]),
        line(`model asked ${exchange.model}, used ${message.responseModel ?? "not told"}`),
        ...(message.thinkingLevel === undefined
          ? []
          : [line(`thinking asked ${message.thinkingLevel}, sent ${message.providerThinkingLevel ?? "nothing"}`)]),
        line(figuresLine(message, exchange.totalMs)),
      ],
    ],
  ];
  const time = new Date(exchange.startedAt).toISOString();
  const head = visible(`${exchange.provider}/${exchange.model} · ${protocolNames[api]} · ${time} · ${exchange.id}`);
  return [
    paint.bold(shorten(head, width)),
    ...sections.flatMap(([heading, lines]) => [
      paint.cyan(heading),
      ...(lines.length === 0 ? [paint.dim("  none")] : lines),
    ]),
    paint.cyan("Not sent as it was"),
    lossLines(exchange, losses, output, paint),
  ].join("\n");
}

function lossLines({ losses }: ModelExchange, isWanted: boolean, output: Output, paint: Paint): string {
  if (losses.length === 0) return `${paint.dim("  nothing")}\n`;
  if (isWanted) return renderGroups(losses, output);
  return `  ${count(losses.length, "loss", "losses")}: --losses lists them\n`;
}

function messageLines(
  messages: readonly Message[],
  same: number,
  isCompared: boolean,
  line: (text: string) => string,
  paint: Paint,
): readonly string[] {
  const lines = messages.map((message, index) => {
    const text = line(
      `${String(index).padStart(3)} ${message.role.padEnd(10)} ${partsOf(message).map(partText).join(" · ")}`,
    );
    return isCompared && index < same ? paint.dim(text) : text;
  });
  if (!isCompared) return lines;
  const fresh = messages.length - same;
  return [...lines, line(`the first ${same} as before, ${count(fresh, "message")} new or changed`)];
}

function partsOf(message: Message): readonly Part[] {
  return message.content as readonly Part[];
}

/** A part in a few words. */
function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return `text "${oneLine(part.text, 60)}"`;
    case "thinking":
      return part.redacted === true ? "thinking, redacted" : `thinking "${oneLine(part.thinking, 40)}"`;
    case "refusal":
      return `refusal "${oneLine(part.text, 60)}"`;
    case "toolCall":
      return `call ${part.name} ${oneLine(part.argumentsText ?? JSON.stringify(part.arguments), 60)}`;
    case "image":
    case "audio":
    case "video":
    case "document": {
      const { source } = part;
      const size = source.type === "base64" ? `, ${Math.ceil((source.data.length * 3) / 4)} bytes` : "";
      return `${part.type} (${("mediaType" in source ? source.mediaType : undefined) ?? source.type}${size})`;
    }
    default:
      return part.type;
  }
}

function oneLine(text: string, most = 100): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > most || text.length > most * 4 ? `${line.slice(0, most)}…` : line;
}
