import type { Conversation, Json, ProtocolId, ResponseFormat, Settings } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { IdentifierRule } from "../identity/identifiers.ts";
import { acceptableIdentifier, identifierRule, isAcceptable } from "../identity/identifiers.ts";
import { refusesStrict } from "./strict.ts";

const names: IdentifierRule = identifierRule(64, false, undefined);

interface FormatWriter {
  readonly settings: Settings;
  readonly report: Report;
  readonly conversation: Conversation;
  readonly faithful: boolean;
  readonly forOpenAi: boolean;
  readonly mends: boolean;
  /** True where the service is known to refuse schemas that it cannot enforce, and names with other characters. */
  readonly checked: boolean;
  /** Where a name stands that is made up. */
  readonly namePath: string;
  readonly to: ProtocolId;
}

/** Name, schema, description and strictness of structured output, as OpenAI takes them in both of its protocols. */
export function openAiFormat(
  format: Extract<ResponseFormat, { readonly type: "jsonSchema" }>,
  writer: FormatWriter,
): { readonly [key: string]: Json } {
  const { name, description, schema } = format;
  const { checked } = writer;
  // Elsewhere schemas are enforced as they are; here that has to be said.
  const isForeign = writer.conversation.wire !== undefined && !writer.forOpenAi;
  const refused = format.strict === true && refusesStrict(schema, writer, checked);
  if (refused) lose(writer.report, "format.enforcement", writer.settings, "responseFormat/strict", { kind: "dropped" });
  const stated = refused ? undefined : format.strict;
  const strict = stated ?? (isForeign && !refusesStrict(schema, writer, checked) ? true : undefined);
  if (isForeign && strict === undefined && !refused)
    lose(writer.report, "format.enforcement", writer.settings, "responseFormat/type");
  const sent = writer.mends && (!writer.faithful || checked) ? formatName(name, writer) : name;
  return {
    ...(sent !== undefined && { name: sent }),
    schema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  };
}

function formatName(name: string | undefined, { report, settings, namePath, to }: FormatWriter): string {
  const values = { to };
  if (name === undefined) {
    lose(report, "format.name", undefined, "", { targetPath: namePath, values });
    return "output";
  }
  if (isAcceptable(name, names)) return name;
  const sent = acceptableIdentifier(name, names);
  lose(report, "format.name", settings, "responseFormat/name", { kind: "rewritten", replacement: sent, values });
  return sent;
}
