// Facts that the source of the catalogue does not have, each from a page of the vendor or a record of the model, with the day it was read.

/** @typedef {import("../../packages/catalog/src/row.ts").CatalogRow} CatalogRow */

/**
 * @typedef {object} Override
 * @property {string} provider
 * @property {RegExp} models of the ids of models that are there
 * @property {Pick<CatalogRow, "input" | "thinkingLevels">} facts that take the place of the row's own
 * @property {string} source
 * @property {string} date
 */

const read = "2026-12-01";
const modelsDev = "https://github.com/anomalyco/models.dev/blob";

/** @type {readonly Override[]} */
export const overrides = [
  {
    provider: "anthropic",
    models: /^claude-/,
    facts: { input: ["text", "image", "pdf"] },
    source: "https://platform.claude.com/docs/en/build-with-claude/pdf-support",
    date: read,
  },
  {
    // Models with vision from gpt-4o on.
    provider: "openai",
    models: /^(gpt-4o|gpt-4\.1|gpt-5(?!\.3-codex-spark)|gpt-6|o1|o3(?!-mini)|o4)/,
    facts: { input: ["text", "image", "pdf"] },
    source: "https://developers.openai.com/api/docs/guides/file-inputs",
    date: read,
  },
  {
    provider: "google",
    models: /^gemini-(2\.5|3\.\d|3)-(pro|flash)/,
    facts: { input: ["text", "image", "audio", "video", "pdf"] },
    source: "https://ai.google.dev/gemini-api/docs/models",
    date: read,
  },
  {
    provider: "google",
    models: /^gemini-2\.5-pro$/,
    facts: { thinkingLevels: { off: null, minimal: 128, max: 32_768 } },
    source: `${modelsDev}/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/google/models/gemini-2.5-pro.toml`,
    date: read,
  },
  {
    provider: "google",
    models: /^gemini-2\.5-flash$/,
    facts: { thinkingLevels: { off: 0, max: 24_576 } },
    source: `${modelsDev}/0760ceffd3e02115e6480d9a0be7992c330c2f35/providers/google/models/gemini-2.5-flash.toml`,
    date: read,
  },
];

/** Models that the source does not list. */
export const additions = /** @type {readonly CatalogRow[]} */ ([
  {
    id: "gpt-image-1",
    name: "GPT Image 1",
    type: "image",
    provider: "openai",
    api: "openai-images",
    input: ["text", "image"],
    output: ["image"],
    released: "2025-04-23",
    source: `${modelsDev}/456216f4c8ca6efdd240b8e18656c96851682bfa/providers/openai/models/gpt-image-1.toml`,
    date: read,
  },
  {
    id: "gpt-image-1.5",
    name: "GPT Image 1.5",
    type: "image",
    provider: "openai",
    api: "openai-images",
    input: ["text", "image"],
    output: ["image", "text"],
    released: "2025-12-16",
    source: `${modelsDev}/456216f4c8ca6efdd240b8e18656c96851682bfa/providers/openai/models/gpt-image-1.5.toml`,
    date: read,
  },
  {
    id: "gemini-3-pro-image",
    type: "image",
    provider: "google",
    api: "gemini-generate-content",
    output: ["image", "text"],
    reasoning: true,
    thinkingLevels: { low: "low", high: "high" },
    // What it draws; a text costs less.
    cost: {
      input: 2,
      output: 120,
      source: `${modelsDev}/18e5d4c1ad41e7a3340eb3354ccab9e26ec12193/providers/google/models/gemini-3-pro-image.toml`,
      date: read,
    },
    source: `${modelsDev}/18e5d4c1ad41e7a3340eb3354ccab9e26ec12193/providers/google/models/gemini-3-pro-image.toml`,
    date: read,
  },
]);
