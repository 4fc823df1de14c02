import type { Message } from "../ir/index.ts";

/** The containers in which messages stood on their wire, by number: those of one container have the same. */
export function numberContainers(messages: readonly Message[]): Map<Message, number> {
  const numbers = new Map<Message, number>();
  let number = 0;
  for (const message of messages) {
    if (message.wire?.joined !== true) number++;
    numbers.set(message, number);
  }
  return numbers;
}
