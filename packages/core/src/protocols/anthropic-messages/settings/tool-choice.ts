import type { WireObject } from "../../../codec/restore.ts";
import type { JsonObject } from "../../../ir/index.ts";
import type { SettingsWriter } from "./writer.ts";
import { report } from "./writer.ts";

/** Which tools the model may or must call. */
export function encodeToolChoice(writer: SettingsWriter, declared: ReadonlySet<string>): void {
  const { toolChoice: stated, parallelToolCalls: asked } = writer.settings;
  const parallel = writer.target.parallelToolCalls ? asked : undefined;
  if (asked !== parallel) report(writer, "setting.no_counterpart", "parallelToolCalls");
  if (declared.size === 0 && writer.mends) {
    // Without tools there is nothing to choose, and the API refuses a choice.
    if (stated !== undefined)
      report(writer, stated.mode === "required" ? "tool_choice.unknown" : "tool_choice.idle", "toolChoice");
    if (parallel === false) report(writer, "setting.no_counterpart", "parallelToolCalls");
    return;
  }
  if (stated?.subset === true && !writer.faithful) {
    stated.names?.forEach((name, index) => {
      if (!declared.has(name)) report(writer, "tool_choice.unknown", `toolChoice/names/${index}`);
    });
  }
  const wanted = stated?.mode === "required" && stated.names?.length === 1 ? stated.names[0] : undefined;
  const forced = stated?.subset === true ? undefined : wanted;
  const isUnknown = forced !== undefined && writer.mends && !declared.has(forced);
  if (isUnknown) report(writer, "tool_choice.unknown", "toolChoice/names");
  const choice = isUnknown ? undefined : stated;
  if (choice === undefined && (parallel === undefined || (parallel && !writer.faithful))) return;
  const object: WireObject = {};
  if (forced !== undefined && !isUnknown) {
    object["type"] = "tool";
    object["name"] = writer.names.toolNames.get(forced) ?? forced;
  } else object["type"] = choice?.mode === "required" ? "any" : (choice?.mode ?? "auto");
  if (choice?.names !== undefined && object["type"] !== "tool")
    report(writer, "tool_choice.subset", "toolChoice/subset");
  if (parallel !== undefined && (!parallel || writer.faithful)) {
    if (object["type"] !== "none") object["disable_parallel_tool_use"] = !parallel;
    else report(writer, "setting.no_counterpart", "parallelToolCalls");
  }
  writer.body["tool_choice"] = object as JsonObject;
}
