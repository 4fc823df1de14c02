import type { Ledger } from "../../../codec/ledger.ts";
import { isStringArray, keep, keepOdd, keepUnknown, spell } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import { chosenNames } from "../../../codec/settings/chosen-names.ts";
import { entryOf } from "../../../codec/table.ts";
import type { JsonObject, ToolChoice } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { callingConfigKeys, toolConfigKeys } from "../wire.ts";
import type { SettingsWriter } from "./writer.ts";
import { report } from "./writer.ts";

const protocol = "gemini-generate-content";

/** Of `functionCallingConfig`; VALIDATED means auto among some functions. */
const modes: { readonly [mode: string]: ToolChoice["mode"] } = { AUTO: "auto", ANY: "required", NONE: "none" };
const words: { readonly [K in ToolChoice["mode"]]: string } = { auto: "AUTO", required: "ANY", none: "NONE" };

export function decodeToolChoice(body: JsonObject, top: Ledger, ledger: Ledger): ToolChoice | undefined {
  const tools = body["toolConfig"];
  if (!isJsonObject(tools)) return keepOdd(top, "toolConfig", tools);
  if (Object.keys(tools).length === 0) spell(top, "toolConfig", {});
  keepUnknown(ledger, tools, toolConfigKeys, "toolConfig/");
  const config = tools["functionCallingConfig"];
  const prefix = "toolConfig/functionCallingConfig/";
  if (!isJsonObject(config)) return keepOdd(ledger, "toolConfig/functionCallingConfig", config);
  if (Object.keys(config).length === 0) keep(ledger, "toolConfig/functionCallingConfig", {});
  keepUnknown(ledger, config, callingConfigKeys, prefix);
  const { mode: stated, allowedFunctionNames: listed } = config;
  const word = typeof stated === "string" ? stated.toUpperCase() : "";
  // Of no calls at all nothing is left to choose.
  const names = isStringArray(listed) && listed.length > 0 && word !== "NONE" ? listed : undefined;
  if (names === undefined) keepOdd(ledger, "allowedFunctionNames", listed, prefix);
  const isValidated = word === "VALIDATED" && names !== undefined;
  const mode = isValidated ? "auto" : entryOf(modes, word);
  if (mode === undefined) {
    keepOdd(ledger, "mode", stated, prefix);
    if (names === undefined) return undefined;
    spell(ledger, "mode", "omitted");
    return { mode: "auto", names, subset: true };
  }
  const choice: ToolChoice = {
    mode,
    ...(names !== undefined && { names }),
    ...(names !== undefined && (mode !== "required" || names.length > 1) && { subset: true as const }),
  };
  if (stated !== wordOf(choice)) spell(ledger, "mode", stated as string);
  return choice;
}

/** Among some functions the model chooses freely only in the mode that also holds it to their schemas. */
function wordOf({ mode, names }: ToolChoice): string {
  return mode === "auto" && names !== undefined ? "VALIDATED" : words[mode];
}

/** Which tools the model may or must call. */
export function encodeToolChoice(writer: SettingsWriter, declared: ReadonlySet<string>): void {
  const { toolChoice: choice, parallelToolCalls: parallel } = writer.settings;
  if (parallel === false) report(writer, "setting.no_counterpart", "parallelToolCalls");
  if (choice === undefined) return;
  if (declared.size === 0 && !writer.faithful) {
    // Without tools there is nothing to choose, and the API refuses to force one.
    report(writer, choice.mode === "required" ? "tool_choice.unknown" : "tool_choice.idle", "toolChoice");
    return;
  }
  const { names } = choice;
  if (names?.length === 0) report(writer, "tool_choice.unknown", "toolChoice");
  const known = chosenNames(
    choice,
    (name) => !writer.mends || declared.has(name),
    (field) => report(writer, "tool_choice.unknown", field),
  );
  if (names !== undefined && names.length > 0 && known?.length === 0) return;
  const config: WireObject = {};
  const form = formOf(writer.conversation.wire, protocol, "mode");
  if (typeof form !== "string") config["mode"] = wordOf(choice);
  else if (form !== "omitted" || choice.mode !== "auto") config["mode"] = isSame(form, choice) ? form : wordOf(choice);
  if (known !== undefined && known.length > 0 && choice.mode !== "none")
    config["allowedFunctionNames"] = known.map(({ name }) => writer.names.toolNames.get(name) ?? name);
  writer.body["toolConfig"] = { functionCallingConfig: config as JsonObject };
}

const isSame = (form: string, { mode, names }: ToolChoice): boolean => {
  const word = form.toUpperCase();
  return word === "VALIDATED" ? mode === "auto" && names !== undefined : entryOf(modes, word) === mode;
};
