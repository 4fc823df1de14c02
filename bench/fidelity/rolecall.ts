import type { Json, JsonObject, Loss, Protocol, ProtocolId } from "@rolecall/core";
import { createConverter, loadProtocol, protocolIds } from "@rolecall/core";
import type { Direction, Output, Subject } from "./direction.ts";
import { historyOf } from "./history.ts";
import { model } from "./samples.ts";
import { framesOf, writeFrames } from "./sse.ts";

/** When answers come; it stands in those that have a time where the service told none. */
const receivedAt = 1767225600000;

/** Rolecall itself, by the calls that its users make. */
export async function createRolecall(version: string): Promise<Subject> {
  const protocols: Protocol[] = [];
  for (const id of protocolIds) protocols.push(await loadProtocol(id));
  const directions = protocols.flatMap((from) => [
    ...protocols.flatMap((to) => directionsOf(from, to)),
    readAnswer(from),
  ]);
  return { id: "rolecall", name: "Rolecall", versions: [`@rolecall/core ${version}`], directions };
}

function directionsOf(from: Protocol, to: Protocol): Direction[] {
  const forward = createConverter(from, to);
  // An answer of the one goes to a client of the other.
  const backward = createConverter(to, from);
  const request = (body: Json): Output => {
    const gemini = from.id === "gemini-generate-content";
    const { value, losses } = forward.convertRequest({ body: body as JsonObject, ...(gemini && { url: { model } }) });
    return { value: [value.body, (value.url ?? null) as unknown as Json], losses };
  };
  const pair = { from: from.id, to: to.id };
  return [
    { operation: "request", ...pair, convert: request },
    {
      operation: "response",
      ...pair,
      convert: (body) => backward.convertResponse(body as JsonObject, { receivedAt }),
    },
    { operation: "stream", ...pair, convert: (body) => convertStream(backward, body, from.id) },
    {
      operation: "history",
      ...pair,
      convert(answer) {
        const { body, placeOf } = historyOf(from.id, answer);
        const { value, losses } = request(body);
        return { value, losses: losses === undefined ? [] : answerLosses(losses, placeOf) };
      },
    },
  ];
}

/** Losses within the answer, at the places that it has there. */
function answerLosses(losses: readonly Loss[], placeOf: (pointer: string) => string): Loss[] {
  const roots = [
    "/choices/0/message",
    "/content",
    "/candidates/0/content",
    ...Array.from({ length: 20 }, (_, index) => `/output/${index}`),
  ];
  return losses.flatMap((loss) =>
    roots.flatMap((root) => {
      const place = placeOf(root);
      return place !== root && (loss.path === place || loss.path.startsWith(`${place}/`))
        ? [{ ...loss, path: root + loss.path.slice(place.length) }]
        : [];
    }),
  );
}

async function convertStream(
  converter: ReturnType<typeof createConverter>,
  body: Json,
  from: ProtocolId,
): Promise<Output> {
  const stream = converter.convertStream([writeFrames(body, from)], { receivedAt });
  let text = "";
  for await (const piece of stream) text += piece;
  const failure = await stream.failure;
  const losses = await stream.report;
  return {
    value: framesOf(text),
    losses,
    ...(failure !== undefined && { report: JSON.parse(JSON.stringify(failure)) as Json }),
  };
}

/** What callers read that work with the representation. */
function readAnswer({ id, decodeResponse }: Protocol): Direction {
  return {
    operation: "response",
    from: id,
    to: "own",
    convert(body) {
      const { value, losses } = decodeResponse(body as JsonObject);
      return { value: JSON.parse(JSON.stringify(value)) as Json, report: losses.length };
    },
  };
}
