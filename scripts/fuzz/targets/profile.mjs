import { protocolIds } from "../core.mjs";
import { attempt, demand } from "../finding.mjs";

/** @import { Core } from "../core.mjs" */

/** Asks for what profiles decide about. */
const request = {
  model: "m",
  max_tokens: 2000,
  top_k: 3,
  temperature: 0.5,
  thinking: { type: "enabled", budget_tokens: 1024 },
  system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
  tools: [{ name: "a.b", input_schema: { type: "object" }, strict: true }],
  messages: [
    { role: "user", content: "q" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "a.b", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "r" }] },
  ],
};

/**
 * A profile as it comes from a file: refused with its field, or obeyed.
 * @param {Core} core
 * @returns {(input: Uint8Array) => void}
 */
export function checkProfileValue({ checkProfile, createConverter, protocols, readJsonBytes }) {
  const converters = protocolIds.map((id) => createConverter(protocols["anthropic-messages"], protocols[id]));
  return (input) => {
    const read = attempt(() => readJsonBytes(input));
    if (read.error !== undefined) return;
    const profile = /** @type {any} */ (read.value);
    const checked = attempt(() => checkProfile(profile));
    demand(
      checked.error === undefined || checked.error.code === "config",
      "profile",
      () => `refused with ${checked.error?.code}`,
    );
    for (const converter of converters) {
      const result = attempt(() => converter.convertRequest(request, { target: profile }));
      if (checked.error !== undefined)
        demand(result.error !== undefined, "profile", () => "a refused profile is obeyed");
    }
  };
}
