import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { few, mostly, oneWord, shape, typed } from "../shape.ts";
import { arbitraryText, base64, plainText, url } from "../text.ts";

const mark: Arbitrary<JsonObject> = shape({ mode: oneWord("explicit") }, { ttl: oneWord("30m", "12h") });
const marks = { prompt_cache_breakpoint: mark };

const textPart: Arbitrary<JsonObject> = typed("input_text", { text: arbitraryText() }, marks);

const dataUrl = (...types: readonly string[]): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...types), fc.constantFrom("", ";charset=utf-8"), base64)
    .map(([type, parameters, data]) => `data:${type}${parameters};base64,${data}`);

const imagePart: Arbitrary<JsonObject> = mostly(
  typed(
    "input_image",
    { image_url: mostly(url, dataUrl("image/png", "image/jpeg"), arbitraryText()) },
    { detail: oneWord("auto", "low", "high", "original"), ...marks },
  ),
  typed("input_image", { file_id: oneWord("file-abc123") }, { detail: oneWord("auto") }),
);

const filePart: Arbitrary<JsonObject> = mostly(
  typed(
    "input_file",
    { file_data: mostly(dataUrl("application/pdf", "text/plain"), base64) },
    { filename: arbitraryText(), detail: oneWord("low", "high"), ...marks },
  ),
  typed("input_file", { file_url: url }, { filename: plainText }),
  typed("input_file", { file_id: oneWord("file-abc123") }, { filename: plainText }),
);

const inputPart: Arbitrary<JsonObject> = mostly(textPart, imagePart, filePart);

/** Content of instructions. */
export const textContent: Arbitrary<Json> = mostly<Json>(arbitraryText(), few(textPart));

/** Content of what a user says, and of a result. */
export const inputContent: Arbitrary<Json> = mostly<Json>(arbitraryText(), few(inputPart));

const annotation: Arbitrary<JsonObject> = mostly(
  typed("url_citation", { start_index: fc.nat(20), end_index: fc.nat(40), title: plainText, url }),
  typed("file_citation", { file_id: oneWord("file-abc123"), filename: plainText, index: fc.nat(9) }),
  typed("container_file_citation", {
    container_id: oneWord("cntr_1"),
    file_id: oneWord("file-abc123"),
    filename: plainText,
    start_index: fc.nat(9),
    end_index: fc.nat(20),
  }),
  typed("file_path", { file_id: oneWord("file-abc123"), index: fc.nat(9) }),
);

const tokenLogprob: Arbitrary<JsonObject> = shape({
  token: arbitraryText(),
  logprob: fc.constantFrom(-0.25, -3.5),
  bytes: few(fc.nat(255), 3),
  top_logprobs: fc.constant([]),
});

const outputText: Arbitrary<JsonObject> = typed(
  "output_text",
  { text: arbitraryText(), annotations: mostly<Json>(fc.constant([]), few(annotation, 2)) },
  { logprobs: mostly<Json>(fc.constant([]), few(tokenLogprob, 2)) },
);

const refusal: Arbitrary<JsonObject> = typed("refusal", { refusal: arbitraryText() });

/** Contents of a message that a service wrote. */
export const outputContent: Arbitrary<JsonObject[]> = mostly(
  few(outputText, 2),
  few(mostly(outputText, refusal), 2, 0),
);
