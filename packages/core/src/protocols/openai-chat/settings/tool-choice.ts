import { chosenNames } from "../../../codec/settings/chosen-names.ts";
import type { Settings } from "../../../ir/index.ts";
import type { SettingsWriter } from "./writer.ts";
import { form, report } from "./writer.ts";

/** Which tools the model may or must call. */
export function encodeToolChoice(choice: NonNullable<Settings["toolChoice"]>, writer: SettingsWriter): void {
  const { mode, names, subset, custom } = choice;
  const declared = writer.body["tools"] !== undefined || writer.body["functions"] !== undefined;
  if (writer.mends && !declared) {
    // Chat refuses a choice without tools, even that of none.
    report(writer, mode === "required" ? "tool_choice.unknown" : "tool_choice.idle", "toolChoice");
    return;
  }
  const known = chosenNames(
    choice,
    (name) => !writer.mends || writer.declared.has(name),
    (field) => report(writer, "tool_choice.unknown", field),
  );
  if (known?.length === 0 && names?.length !== 0) return;
  const sent = known?.map(({ name, index }) => ({ name: writer.names.toolNames.get(name) ?? name, index }));
  const only = sent?.[0]?.name;
  if (
    form(writer, "toolChoice") === "function_call" &&
    subset !== true &&
    (only !== undefined || mode !== "required")
  ) {
    writer.body["function_call"] = only !== undefined ? { name: only } : mode;
    return;
  }
  if (sent === undefined || (only === undefined && subset !== true) || mode === "none")
    writer.body["tool_choice"] = mode;
  else if (subset === true || (names?.length ?? 0) > 1) {
    writer.body["tool_choice"] = {
      type: "allowed_tools",
      allowed_tools: {
        mode: mode === "required" ? "required" : "auto",
        tools: sent.map(({ name, index }) => {
          const type = typeOf(index, choice, writer);
          return { type, [type]: { name } };
        }),
      },
    };
  } else {
    const type = custom === true ? customType(names?.[0], writer) : "function";
    const untyped = form(writer, "tool_choice/type") === "absent";
    writer.body["tool_choice"] = { ...(!untyped && { type }), [type]: { name: only } };
  }
}

/** What the tool of a subset is, as the source says it of each or of all. */
function typeOf(
  index: number,
  { custom, names = [] }: NonNullable<Settings["toolChoice"]>,
  writer: SettingsWriter,
): "custom" | "function" {
  const types = form(writer, "tool_choice/types");
  const isCustom = Array.isArray(types) && types.length === names.length ? types[index] === "custom" : custom === true;
  return isCustom ? customType(names[index], writer) : "function";
}

/** What a free-text tool went out as. One that nobody declared stays what it is called. */
const customType = (name: string | undefined, { customTools }: SettingsWriter): "custom" | "function" =>
  name !== undefined && customTools.has(name) ? "function" : "custom";
