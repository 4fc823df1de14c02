import type { WireObject } from "../../../codec/restore.ts";
import type { Conversation, Settings } from "../../../ir/index.ts";
import type { LossCode, LossValues } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

/** What encoding of the settings shares. */
export interface SettingsWriter extends Writer {
  readonly body: WireObject;
  /** `generationConfig`. */
  readonly config: WireObject;
  readonly settings: Settings;
  readonly conversation: Conversation;
}

/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer: SettingsWriter, code: LossCode, field: string, values?: LossValues): void =>
  lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });
