import type { Loss, LossCode } from "@rolecall/core";
import { lossCatalogue } from "@rolecall/core";

/** A loss as a conversion from Messages to Chat reports it. */
export function createLoss(code: LossCode, path = "/messages/0", more: Partial<Loss> = {}): Loss {
  const { kind, effect, severity, detail } = lossCatalogue[code];
  return {
    code,
    kind,
    effect,
    severity,
    stage: "encode",
    from: "anthropic-messages",
    to: "openai-chat",
    path,
    detail,
    ...more,
  };
}
