import type {
  Candidate,
  Content,
  GenerateContentResponsePromptFeedback,
  GenerateContentResponseUsageMetadata,
  GenerationConfig,
  ModelStatus,
  SafetySetting,
  ServiceTier,
  Tool,
  ToolConfig,
} from "@google/genai";

/** The body of a request: the SDK has it as parameters of its own, which it writes in this form. */
export interface GenerateContentRequest {
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: ToolConfig;
  safetySettings?: SafetySetting[];
  generationConfig?: GenerationConfig;
  cachedContent?: string;
  labels?: Record<string, string>;
  serviceTier?: ServiceTier;
  store?: boolean;
  continuationToken?: string;
}

/** The body of a response: the SDK has it as a class with getters. */
export interface GenerateContentBody {
  candidates?: Candidate[];
  createTime?: string;
  modelVersion?: string;
  promptFeedback?: GenerateContentResponsePromptFeedback;
  responseId?: string;
  usageMetadata?: GenerateContentResponseUsageMetadata;
  modelStatus?: ModelStatus;
}
