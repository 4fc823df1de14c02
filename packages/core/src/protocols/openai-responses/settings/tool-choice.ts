import { chosenNames } from "../../../codec/settings/chosen-names.ts";
import type { Settings } from "../../../ir/index.ts";
import type { SettingsWriter } from "./writer.ts";
import { form, report } from "./writer.ts";

/** Which tools the model may or must call. */
export function encodeToolChoice(choice: NonNullable<Settings["toolChoice"]>, writer: SettingsWriter): void {
  const { mode, names, subset } = choice;
  if (writer.mends && writer.body["tools"] === undefined && !writer.declared.size) {
    const code = mode === "required" ? "tool_choice.unknown" : "tool_choice.idle";
    report(writer, code, "toolChoice/mode");
    if (names !== undefined) report(writer, code, "toolChoice/names");
    return;
  }
  const known = chosenNames(
    choice,
    (name) => !writer.mends || writer.declared.has(name),
    (field) => report(writer, "tool_choice.unknown", field),
  );
  if (known?.length === 0 && names?.length !== 0) return;
  const only = known?.[0]?.name;
  if (names === undefined || known === undefined || (only === undefined && subset !== true) || mode === "none") {
    writer.body["tool_choice"] = mode;
    return;
  }
  if (subset === true || names.length > 1) {
    writer.body["tool_choice"] = {
      type: "allowed_tools",
      mode: mode === "required" ? "required" : "auto",
      tools: known.map(({ name, index }) => ({
        type: typeOf(name, index, choice, writer),
        name: sentName(name, writer),
      })),
    };
  } else if (only !== undefined)
    writer.body["tool_choice"] = { type: typeOf(only, 0, choice, writer), name: sentName(only, writer) };
}

const sentName = (name: string, writer: SettingsWriter): string => writer.names.toolNames.get(name) ?? name;

/** What a chosen tool is: as the source says it of each, else as it is declared. */
function typeOf(
  name: string,
  index: number,
  { names = [], custom }: NonNullable<Settings["toolChoice"]>,
  writer: SettingsWriter,
): string {
  if (!writer.target.customTools) return "function";
  const types = form(writer, "tool_choice/types");
  const stated = Array.isArray(types) && types.length === names.length ? types[index] : undefined;
  if (typeof stated === "string") return stated;
  // A client that calls a custom tool a function is told so by its service.
  const isCustom = custom === true || (writer.mends && writer.declared.get(name) === "custom");
  return isCustom ? "custom" : "function";
}
