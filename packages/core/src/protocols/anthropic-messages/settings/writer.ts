import type { WireObject } from "../../../codec/restore.ts";
import type { Conversation, Settings } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { LossCode, LossValues } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

/** What encoding of a request and its settings shares. */
export interface SettingsWriter extends Writer {
  readonly body: WireObject;
  readonly settings: Settings;
  readonly conversation: Conversation;
}

/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer: SettingsWriter, code: LossCode, field: string, values?: LossValues): void =>
  lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });

/** The object of the body that holds effort and format. */
export function outputConfig(writer: SettingsWriter): WireObject {
  const present = writer.body["output_config"];
  if (isJsonObject(present)) return present as WireObject;
  const created: WireObject = {};
  writer.body["output_config"] = created as WireObject[string];
  return created;
}
