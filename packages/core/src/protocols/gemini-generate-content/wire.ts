import type { KnownKeys } from "../../codec/ledger.ts";
import { knownKeys } from "../../codec/ledger.ts";
import type { Shape } from "./spelling.ts";
import { defineShape } from "./spelling.ts";

/**
 * Field names of generateContent, as its SDK types spell them (`@google/genai` 3.3.0; read 2026-11). Those of Vertex AI are among them.
 * https://ai.google.dev/api/generate-content, https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest
 */
export const requestKeys: KnownKeys = knownKeys(
  "model",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "safetySettings",
  "generationConfig",
  "cachedContent",
  "labels",
  "serviceTier",
  "store",
);
export const generationKeys: KnownKeys = knownKeys(
  "temperature",
  "topP",
  "topK",
  "candidateCount",
  "maxOutputTokens",
  "stopSequences",
  "responseLogprobs",
  "logprobs",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "responseModalities",
  "thinkingConfig",
);
export const thinkingKeys: KnownKeys = knownKeys("includeThoughts", "thinkingBudget", "thinkingLevel");
export const toolConfigKeys: KnownKeys = knownKeys("functionCallingConfig");
export const callingConfigKeys: KnownKeys = knownKeys("mode", "allowedFunctionNames");

export const requestShape: Shape = defineShape(
  ["systemInstruction", "safetySettings", "cachedContent", "serviceTier", "continuationToken"],
  {
    generationConfig: defineShape(
      [
        ...Object.keys(generationKeys),
        ...["mediaResolution", "speechConfig", "audioTranscriptionConfig", "imageConfig", "audioTimestamp"],
        ...["enableEnhancedCivicAnswers", "routingConfig", "modelSelectionConfig"],
      ],
      { thinkingConfig: defineShape(Object.keys(thinkingKeys)) },
    ),
    toolConfig: defineShape(["retrievalConfig", "includeServerSideToolInvocations"], {
      functionCallingConfig: defineShape([...Object.keys(callingConfigKeys), "streamFunctionCallArguments"]),
    }),
  },
);

export const contentKeys: KnownKeys = knownKeys("role", "parts");
export const textKeys: KnownKeys = knownKeys("text", "thought", "thoughtSignature");
export const inlineKeys: KnownKeys = knownKeys("inlineData", "thoughtSignature", "mediaResolution");
export const fileKeys: KnownKeys = knownKeys("fileData", "thoughtSignature", "mediaResolution");
export const blobKeys: KnownKeys = knownKeys("mimeType", "data", "displayName");
export const fileDataKeys: KnownKeys = knownKeys("mimeType", "fileUri", "displayName");
export const resolutionKeys: KnownKeys = knownKeys("level");
export const callKeys: KnownKeys = knownKeys("functionCall", "thoughtSignature");
export const functionCallKeys: KnownKeys = knownKeys("id", "name", "args");
export const resultKeys: KnownKeys = knownKeys("functionResponse");
export const functionResponseKeys: KnownKeys = knownKeys("id", "name", "response", "parts");

/** Parts that record what a tool of the service did. */
export const recordKinds = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** What a part can hold. One that holds none of them, or several, is kept whole. */
export const dataKeys = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const;

export const partShape: Shape = defineShape(["thoughtSignature", "partMetadata", "mediaProcessing", "speechMetadata"], {
  inlineData: defineShape(Object.keys(blobKeys)),
  fileData: defineShape(Object.keys(fileDataKeys)),
  functionCall: defineShape(["partialArgs", "willContinue"]),
  functionResponse: defineShape(["willContinue"]),
  executableCode: defineShape([]),
  codeExecutionResult: defineShape([]),
  toolCall: defineShape(["toolType"]),
  toolResponse: defineShape(["toolType"]),
  videoMetadata: defineShape(["startOffset", "endOffset"]),
  mediaResolution: defineShape(["numTokens"]),
  audioTranscription: defineShape([]),
});

export const toolShape: Shape = defineShape(["functionDeclarations"]);
export const declarationKeys: KnownKeys = knownKeys(
  "name",
  "description",
  "parameters",
  "parametersJsonSchema",
  "response",
  "responseJsonSchema",
);
export const declarationShape: Shape = defineShape(Object.keys(declarationKeys));

export const responseKeys: KnownKeys = knownKeys(
  "candidates",
  "usageMetadata",
  "modelVersion",
  "responseId",
  "createTime",
  "promptFeedback",
);
export const candidateKeys: KnownKeys = knownKeys(
  "content",
  "finishReason",
  "finishMessage",
  "index",
  "groundingMetadata",
);
export const feedbackKeys: KnownKeys = knownKeys("blockReason");
export const usageKeys: KnownKeys = knownKeys(
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "toolUsePromptTokenCount",
  "totalTokenCount",
);
