import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import type { Conversation, Json, JsonObject, Settings } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { LossCode, LossValues } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "openai-responses";

/** What encoding of the settings shares. */
export interface SettingsWriter extends Writer {
  readonly body: WireObject;
  readonly settings: Settings;
  readonly conversation: Conversation;
  /** Names of the declared tools, and what each is declared as. */
  readonly declared: ReadonlyMap<string, string>;
}

/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer: SettingsWriter, code: LossCode, field: string, values?: LossValues): void =>
  lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });

/** The spelling of a setting in its own body. */
export const form = (writer: SettingsWriter, key: string): Json | undefined =>
  formOf(writer.conversation.wire, protocol, key);

/** An object of the body that several settings share. */
export function shared(writer: SettingsWriter, key: string): WireObject {
  const present = writer.body[key];
  if (isJsonObject(present)) return present as WireObject;
  const created: WireObject = {};
  writer.body[key] = created as JsonObject;
  return created;
}
