import type { Message } from "../../ir/index.ts";

/**
 * The containers in which messages stood on their wire, by number: those of one container have the same. Undefined where none holds several
 * messages.
 */
export function numberContainers(messages: readonly Message[]): Map<Message, number> | undefined {
  if (!messages.some(({ wire }) => wire?.joined === true)) return undefined;
  const numbers = new Map<Message, number>();
  let number = 0;
  for (const message of messages) {
    if (message.wire?.joined !== true) number++;
    numbers.set(message, number);
  }
  return numbers;
}
