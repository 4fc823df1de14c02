import type { WireObject } from "../../../codec/restore.ts";
import type { Message } from "../../../ir/index.ts";
import { lose, loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { refusedInMessages } from "../profile.ts";

const protocol = "openai-chat";

/** Takes names and unknown fields that the target refuses from a message, and reports them. Reasoning is decided where it is written. */
export function withholdRefused(object: WireObject, message: Message, writer: Writer): void {
  const { protocol: from, rest } = message.wire ?? {};
  for (const key of refusedInMessages(writer.target)) {
    if (object[key] === undefined) continue;
    if (from === protocol && rest !== undefined && Object.hasOwn(rest, key)) {
      loseResidue(writer.report, message, rest, [key]);
    } else if (object[key] === null) lose(writer.report, "field.null", message, `form:${key}`);
    // The deprecated results have nothing else that names their call.
    else if (key !== "name" || object["role"] === "function") continue;
    else lose(writer.report, "message.name", message, message.role === "toolResult" ? "toolName" : "name");
    delete object[key];
  }
}
