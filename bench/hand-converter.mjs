// The floor of a conversion: Messages to Chat written by hand for this one conversation, without representation, checks or report.

/** @param {any} body */
export function convertByHand(body) {
  /** @type {object[]} */
  const messages = [{ role: "system", content: textsOf(body.system) }];
  for (const { role, content } of body.messages) {
    if (role === "assistant") messages.push(assistant(content));
    else messages.push(...user(content));
  }
  return {
    model: body.model,
    max_tokens: body.max_tokens,
    stream: body.stream,
    messages,
    tools: body.tools.map((/** @type {any} */ tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: tool.input_schema },
    })),
  };
}

/** @param {any[]} blocks */
const textsOf = (blocks) => (blocks.length === 1 ? blocks[0].text : blocks.map(({ text }) => text).join(""));

/** @param {any[]} blocks */
function assistant(blocks) {
  let content = "";
  const calls = [];
  for (const block of blocks) {
    if (block.type === "text") content += block.text;
    else if (block.type === "tool_use") {
      const call = { name: block.name, arguments: JSON.stringify(block.input) };
      calls.push({ id: block.id, type: "function", function: call });
    }
  }
  return calls.length > 0 ? { role: "assistant", content, tool_calls: calls } : { role: "assistant", content };
}

/** @param {any[]} blocks */
function user(blocks) {
  const messages = [];
  for (const block of blocks) {
    if (block.type === "text") messages.push({ role: "user", content: block.text });
    else messages.push({ role: "tool", tool_call_id: block.tool_use_id, content: textsOf(block.content) });
  }
  return messages;
}
