import type { Json } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { messagesOf, objectsOf, partsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const migration = "https://platform.claude.com/docs/en/api/migration-2026-10-21";
const mediaTypes: ReadonlySet<unknown> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Blocks that a message may hold and a result may not. Others are let be: new kinds come with new versions. */
const notInResults: ReadonlySet<unknown> = new Set([
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "server_tool_use",
]);

/** Blocks of instructions, of messages, and of results before the results themselves, whose marks stand at their end. */
function allBlocks(request: RequestView): readonly Placed[] {
  const below = (block: Placed): readonly Placed[] =>
    block.object["type"] === "tool_result" ? [...partsOf(block), block] : [block];
  return [...objectsOf(request.body["system"], "/system"), ...messagesOf(request).flatMap(partsOf).flatMap(below)];
}

const isCurrent = ({ profile }: RequestView): boolean => profile.apiVersion === "2026-10-21";

/** Marks of a request in the order in which the service reads it: tools, instructions, messages. */
function marksOf(request: RequestView): readonly Placed[] {
  const holders = [...objectsOf(request.body["tools"], "/tools"), ...allBlocks(request)];
  return holders.flatMap(({ object, path }) => {
    const mark = object["cache_control"];
    return isJsonObject(mark) ? [{ object: mark, path: `${path}/cache_control` }] : [];
  });
}

const isEmptyList = (value: Json | undefined): boolean => !Array.isArray(value) || value.length === 0;

/** Blocks: texts, media, marks. */
export const anthropicContentRules: readonly Rule<RequestView>[] = [
  {
    id: "A6a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/HKUDS/nanobot/pull/949",
    description: "No text block is empty.",
    check: (request, flag) => {
      for (const { object, path } of allBlocks(request))
        if (object["type"] === "text" && object["text"] === "") flag(path, "the text is empty: leave the block out");
    },
  },
  {
    id: "A6b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/anthropics/claude-code/issues/23440",
    description: "No text block of a message holds white space only.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(partsOf)) {
        const { type, text } = object;
        if (type === "text" && typeof text === "string" && text !== "" && text.trim() === "")
          flag(path, "the text is white space only: leave the block out");
      }
    },
  },
  {
    id: "A11b",
    severity: "error",
    evidence: "documentation",
    source: migration,
    description: "Since version 2026-10-21 no `document` stands directly in a message of the assistant.",
    check: (request, flag) => {
      if (!isCurrent(request)) return;
      for (const message of messagesOf(request)) {
        if (message.object["role"] !== "assistant") continue;
        for (const { object, path } of partsOf(message))
          if (object["type"] === "document") flag(path, "an answer holds no documents: move it into a user turn");
      }
    },
  },
  {
    id: "A11c",
    severity: "error",
    evidence: "documentation",
    source: migration,
    description: "Since version 2026-10-21 texts of the user carry no citations.",
    check: (request, flag) => {
      if (!isCurrent(request)) return;
      for (const message of messagesOf(request)) {
        if (message.object["role"] !== "user") continue;
        for (const { object, path } of partsOf(message))
          if (object["type"] === "text" && !isEmptyList(object["citations"]))
            flag(`${path}/citations`, "only answers carry citations: leave them out");
      }
    },
  },
  {
    id: "A12a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/tghamm/Anthropic.SDK/issues/50",
    description: "There are 4 cache marks at most, or as many as the profile says.",
    check: (request, flag) => {
      const most = request.profile.maxCacheBreakpoints ?? 4;
      for (const { path } of marksOf(request).slice(most))
        flag(path, `there are more than ${most} cache marks: leave some out, the earliest first`);
    },
  },
  {
    id: "A12b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/headroomlabs-ai/headroom/issues/2939",
    description:
      "Cache marks of an hour come before those of five minutes, in the order of tools, instructions, messages.",
    check: (request, flag) => {
      let isShort = false;
      for (const { object, path } of marksOf(request)) {
        const isLong = object["ttl"] === "1h";
        if (isLong && isShort) flag(`${path}/ttl`, "a mark of five minutes comes before it: give all marks one ttl");
        if (!isLong) isShort = true;
      }
    },
  },
  {
    id: "A15a",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, Base64ImageSource.media_type",
    description: "Images are of type image/jpeg, image/png, image/gif or image/webp.",
    check: (request, flag) => {
      for (const { object, path } of allBlocks(request)) {
        const { type, source } = object;
        if (
          type === "image" &&
          isJsonObject(source) &&
          source["type"] === "base64" &&
          !mediaTypes.has(source["media_type"])
        )
          flag(`${path}/source/media_type`, "convert the image to JPEG, PNG, GIF or WebP");
      }
    },
  },
  {
    id: "A15b",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, ToolResultBlockParam.content",
    description: "A result holds no thinking, no calls and no results.",
    check: (request, flag) => {
      for (const block of messagesOf(request).flatMap(partsOf)) {
        if (block.object["type"] !== "tool_result") continue;
        for (const { object, path } of partsOf(block))
          if (notInResults.has(object["type"]))
            flag(`${path}/type`, "a result has no place for it: leave the block out");
      }
    },
  },
];
