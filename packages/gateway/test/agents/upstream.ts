import type { Answer, Received } from "../service.ts";
import {
  anthropicCall,
  anthropicEvents,
  anthropicText,
  chatCall,
  chatEvents,
  chatText,
  events,
  isMessages,
  json,
} from "../service.ts";

interface Tool {
  readonly name: string;
  readonly parameters: { readonly properties?: Record<string, unknown> };
}

function toolsOf({ body }: Received): Tool[] {
  const tools: { name?: string; input_schema?: object; function?: { name: string; parameters: object } }[] =
    body.tools ?? [];
  return tools.map(({ name = "", input_schema: schema = {}, function: own }) => ({
    name: own?.name ?? name,
    parameters: own?.parameters ?? schema,
  }));
}

/** The call that reads a file with the tool that the agent has for it. */
function callFor(request: Received, file: string): readonly [name: string, input: object] {
  const tool = toolsOf(request).find(({ name }) => /^read(?:_file)?$/i.test(name));
  const [path] = Object.keys(tool?.parameters.properties ?? {}).filter((name) => /path/i.test(name));
  if (tool === undefined || path === undefined) throw new Error("the agent has no tool that reads a file");
  return [tool.name, { [path]: file }];
}

/** Thinks, says something and calls the tool; once it has a result, quotes the word that stood in the file. */
export function readsFile(file: string): Answer {
  return (request, response) => {
    const word = /word-[a-z]+/.exec(request.text)?.[0];
    const streams = request.body.stream === true;
    if (isMessages(request)) {
      const thinking = { type: "thinking", thinking: "The file has to be read.", signature: "c2lnbmF0dXJl" };
      const call = anthropicCall(...callFor(request, file));
      const said = { ...call, content: [thinking, { type: "text", text: "I read it." }, ...call.content] };
      const whole = (word === undefined ? said : anthropicText(`It says ${word}.`)) as typeof call;
      if (streams) events(response, anthropicEvents(whole));
      else json(response, 200, whole);
      return;
    }
    const call = chatCall(...callFor(request, file));
    const message = { ...call.choices[0]!.message, content: "I read it." as unknown as null };
    const said = { ...call, choices: [{ ...call.choices[0]!, message }] };
    const whole = word === undefined ? said : chatText(`It says ${word}.`);
    const [head, ...rest] = chatEvents(whole);
    const thought = head!.replace(/"delta":\{.*?\}/, '"delta":{"reasoning_content":"The file has to be read."}');
    if (streams) events(response, [head!, ...(word === undefined ? [thought] : []), ...rest]);
    else json(response, 200, whole);
  };
}
