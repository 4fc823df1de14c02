import { scalarText } from "../../../codec/table.ts";
import type { Json } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, objectsOf, repeated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";
import { declarationsOf, either, objectAt } from "./reading.ts";

const whole = ({ body }: RequestView): Placed => ({ object: body, path: "" });
const generationOf = (request: RequestView): Placed | undefined => objectAt(whole(request), "generationConfig");

/** How functions are to be called. */
function callingOf(request: RequestView): Placed | undefined {
  const config = objectAt(whole(request), "toolConfig");
  return config === undefined ? undefined : objectAt(config, "functionCallingConfig");
}

/** Keys of a request that Vertex AI alone takes; the SDK refuses them toward the Gemini API. */
const vertexKeys = ["modelArmorConfig", "routingConfig", "audioTimestamp"];

const isSet = (holder: Placed, key: string): boolean => isStated(either(holder.object, key).value);

/** Every setting beside the contents. */
export const geminiSettingRules: readonly Rule<RequestView>[] = [
  {
    id: "G7a",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, FunctionDeclaration.parametersJsonSchema",
    description: "A function has `parameters` or `parametersJsonSchema`, not both.",
    check: (request, flag) => {
      for (const declaration of declarationsOf(request))
        if (isSet(declaration, "parameters") && isSet(declaration, "parametersJsonSchema"))
          flag(declaration.path, "leave one of parameters and parametersJsonSchema out");
    },
  },
  {
    id: "G7b",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, GenerateContentConfig.responseJsonSchema",
    description: "An answer has `responseSchema` or `responseJsonSchema`, not both.",
    check: (request, flag) => {
      const config = generationOf(request);
      if (config !== undefined && isSet(config, "responseSchema") && isSet(config, "responseJsonSchema"))
        flag(config.path, "leave one of responseSchema and responseJsonSchema out");
    },
  },
  {
    id: "G7c",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, GenerateContentConfig.responseSchema: responseMimeType must also be set",
    description: "A schema of the answer stands beside its `responseMimeType`.",
    check: (request, flag) => {
      const config = generationOf(request);
      if (config === undefined || isSet(config, "responseMimeType")) return;
      for (const key of ["responseSchema", "responseJsonSchema"])
        if (isSet(config, key)) flag(`${config.path}/${either(config.object, key).key}`, "state responseMimeType too");
    },
  },
  {
    id: "G8a",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, FunctionCallingConfig.allowedFunctionNames",
    description: "`allowedFunctionNames` stand only beside the mode `ANY` or `VALIDATED`.",
    check: (request, flag) => {
      const calling = callingOf(request);
      if (calling === undefined) return;
      const { key, value } = either(calling.object, "allowedFunctionNames");
      const mode = scalarText(calling.object["mode"]).toUpperCase();
      if (Array.isArray(value) && value.length > 0 && mode !== "ANY" && mode !== "VALIDATED")
        flag(`${calling.path}/${key}`, "set the mode to ANY or VALIDATED, or leave the names out");
    },
  },
  {
    id: "G8b",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "Allowed functions are declared.",
    check: (request, flag) => {
      const calling = callingOf(request);
      if (calling === undefined) return;
      const { key, value } = either(calling.object, "allowedFunctionNames");
      const names = new Set(declarationsOf(request).map(({ object }) => object["name"]));
      if (!Array.isArray(value)) return;
      value.forEach((name: Json, index) => {
        if (!names.has(name))
          flag(`${calling.path}/${key}/${index}`, "the function is not declared: declare it, or leave the name out");
      });
    },
  },
  {
    id: "G9",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/cloudwego/eino-ext/issues/761",
    unenforced: "recorded requests to Vertex AI without it were answered",
    description: "Tools of the service beside functions need `includeServerSideToolInvocations`.",
    check: (request, flag) => {
      const config = objectAt(whole(request), "toolConfig");
      if (config !== undefined && isSet(config, "includeServerSideToolInvocations")) return;
      if (declarationsOf(request).length === 0) return;
      const hosted = ["googleSearch", "codeExecution", "urlContext", "googleMaps", "fileSearch"];
      for (const tool of objectsOf(request.body["tools"], "/tools"))
        if (hosted.some((key) => isSet(tool, key)))
          flag(tool.path, "set toolConfig.includeServerSideToolInvocations, or leave the functions out");
    },
  },
  {
    id: "G10",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "Beside `cachedContent` there are no instructions, tools or tool settings.",
    check: (request, flag) => {
      if (!isSet(whole(request), "cachedContent")) return;
      for (const key of ["systemInstruction", "tools", "toolConfig"])
        if (isSet(whole(request), key)) flag(`/${either(request.body, key).key}`, "it belongs into the cached content");
    },
  },
  {
    id: "G11",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, FunctionDeclaration.name; https://github.com/google-gemini/gemini-cli/issues/6704",
    description:
      "Names of functions begin with a letter or underscore; letters, digits, `_`, `.`, `:` and `-` follow, 128 in all.",
    check: (request, flag) => {
      for (const { object, path } of declarationsOf(request))
        if (!/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(scalarText(object["name"] ?? "")))
          flag(`${path}/name`, "begin with a letter or underscore, and use letters, digits, _ . : and - alone");
    },
  },
  {
    id: "G12",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, GenerateContentConfig.modelArmorConfig",
    description: "`safetySettings` and `modelArmorConfig` exclude each other.",
    check: (request, flag) => {
      const body = whole(request);
      if (isSet(body, "safetySettings") && isSet(body, "modelArmorConfig"))
        flag(`/${either(request.body, "safetySettings").key}`, "leave one of safetySettings and modelArmorConfig out");
    },
  },
  {
    id: "G13",
    severity: "warning",
    evidence: "sdk",
    source: "@google/genai 3.3.0, src/converters: parameter is not supported in Gemini API",
    description: "Toward the Gemini API there is nothing that Vertex AI alone takes.",
    check: (request, flag) => {
      if (request.profile.provider !== "google") return;
      const config = generationOf(request);
      for (const holder of [whole(request), ...(config === undefined ? [] : [config])])
        for (const key of vertexKeys)
          if (isSet(holder, key))
            flag(`${holder.path}/${either(holder.object, key).key}`, "only Vertex AI takes it: leave it out");
    },
  },
  {
    id: "G15",
    severity: "error",
    evidence: "recording",
    source: 'recorded answer: "the supported range is from 0 (inclusive) to 2.0001 (exclusive)"',
    description: "`temperature` is 0 to 2.",
    check: (request, flag) => {
      const config = generationOf(request);
      const temperature = config?.object["temperature"];
      if (typeof temperature === "number" && (temperature < 0 || temperature > 2))
        flag(`${config?.path}/temperature`, "it must be from 0 to 2");
    },
  },
  {
    id: "X1",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "Names of functions are unique.",
    check: (request, flag) => {
      for (const { path } of repeated(declarationsOf(request), ({ object }) => scalarText(object["name"])))
        flag(`${path}/name`, "an earlier function has this name: leave one of them out");
    },
  },
];
