import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { few, mostly, oneWord, shape, typed } from "../shape.ts";
import { arbitraryText, base64, plainText, url } from "../text.ts";

const mark: Arbitrary<JsonObject> = shape({ mode: oneWord("explicit") }, { ttl: oneWord("30m", "12h") });
/** The spelling of some compatible servers. */
const control: Arbitrary<JsonObject> = typed("ephemeral", {}, { ttl: oneWord("5m", "1h") });

const marks = { prompt_cache_breakpoint: mark };

const textPart: Arbitrary<JsonObject> = mostly(
  typed("text", { text: arbitraryText() }, marks),
  typed("text", { text: plainText, cache_control: control }),
  typed("text", { text: plainText, cache_control: mostly(control, typed("persistent")) }, marks),
);

const dataUrl = (...types: readonly string[]): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...types), fc.constantFrom("", ";charset=utf-8"), base64)
    .map(([type, parameters, data]) => `data:${type}${parameters};base64,${data}`);

const imagePart: Arbitrary<JsonObject> = typed(
  "image_url",
  {
    image_url: shape(
      { url: mostly(url, dataUrl("image/png", "image/jpeg", "image/jpg", "image/bmp"), arbitraryText()) },
      { detail: oneWord("auto", "low", "high", "original") },
    ),
  },
  marks,
);

const audioPart: Arbitrary<JsonObject> = typed(
  "input_audio",
  { input_audio: shape({ data: base64, format: oneWord("wav", "mp3") }) },
  marks,
);

const filePart: Arbitrary<JsonObject> = typed(
  "file",
  {
    file: fc.oneof(
      shape({ file_data: mostly(dataUrl("application/pdf", "text/plain"), base64) }, { filename: arbitraryText() }),
      shape({ file_id: oneWord("file-abc123") }, { filename: plainText }),
      shape({}, { file_data: base64, file_id: oneWord("file-abc123"), filename: plainText }),
    ),
  },
  marks,
);

const refusalPart: Arbitrary<JsonObject> = typed("refusal", { refusal: arbitraryText() });

const stringOr = (part: Arbitrary<JsonObject>): Arbitrary<Json> => mostly<Json>(arbitraryText(), few(part));

/** Content of instructions and results. */
export const textContent: Arbitrary<Json> = stringOr(textPart);

/** Content of a user message. Audio and stored files are rare, because not every target takes them. */
export const userContent: Arbitrary<Json> = mostly<Json>(
  arbitraryText(),
  few(mostly(textPart, imagePart, filePart)),
  few(mostly(textPart, audioPart)),
);

/** Content of an assistant message of a history. */
export const assistantContent: Arbitrary<Json> = mostly<Json>(
  stringOr(mostly(textPart, refusalPart)),
  fc.constant(null),
  fc.constant([]),
);
