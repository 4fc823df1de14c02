import type { LateSet } from "../../../codec/identity/late.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import type { Conversation, Json, Settings } from "../../../ir/index.ts";
import type { LossCode, LossValues } from "../../../loss/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "openai-chat";

/** What encoding of a request and its settings shares. */
export interface SettingsWriter extends Writer {
  readonly body: WireObject;
  readonly settings: Settings;
  readonly conversation: Conversation;
  /** Names of the declared tools. */
  readonly declared: LateSet<string>;
}

/** Reports what becomes of a setting. `field` is relative to the settings. */
export const report = (writer: SettingsWriter, code: LossCode, field: string, values?: LossValues): void =>
  lose(writer.report, code, writer.settings, field, values === undefined ? {} : { values });

/** The spelling of a setting in its own body. */
export const form = (writer: SettingsWriter, key: string): Json | undefined =>
  formOf(writer.conversation.wire, protocol, key);
