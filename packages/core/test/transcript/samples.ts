/** A second request of an agent that checks a file, as applications keep it. */
export const request = [
  {
    role: "system",
    content: "只读检查，依据工具结果报告",
    toolsAdded: [
      {
        name: "read",
        description: "Read the contents of a file.",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    timestamp: 1733234401000,
  },
  { role: "user", content: "检查 src/greet.ts 中的命名函数声明，报告实际匹配到的名称。", timestamp: 1733234401000 },
  {
    role: "assistant",
    content: [{ type: "toolCall", id: "call_abc123", name: "read", arguments: { path: "src/greet.ts" } }],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-6",
    usage: { input: 812, output: 46, cacheRead: 0, cacheWrite: 0, totalTokens: 858 },
    stopReason: "toolUse",
    timestamp: 1733234401500,
  },
  {
    role: "toolResult",
    toolCallId: "call_abc123",
    toolName: "read",
    content: [{ type: "text", text: `export function greet(name: string) {\n  return \`Hello \${name}\`\n}` }],
    details: {},
    isError: false,
    timestamp: 1733234402000,
  },
] as const;
