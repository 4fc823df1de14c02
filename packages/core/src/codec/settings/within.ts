import type { ProtocolId, Settings } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { WireObject } from "../restore.ts";

interface NumberWriter {
  readonly body: WireObject;
  readonly settings: Settings;
  readonly report: Report;
  readonly mends: boolean;
}

/** Writes a number under a key, within the range that the reference of the target states. */
export const within =
  (
    to: ProtocolId,
    setting: keyof Settings,
    key: string,
    least: number,
    most: number,
  ): ((value: number, writer: NumberWriter) => void) =>
  (value, { body, settings, report, mends }) => {
    const sent = mends ? Math.min(Math.max(value, least), most) : value;
    if (sent !== value) lose(report, "setting.clamped", settings, setting, { values: { sent, to } });
    body[key] = sent;
  };
