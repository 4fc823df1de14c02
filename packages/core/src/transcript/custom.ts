import { ConfigError } from "../errors/index.ts";
import type { Message, MessageInput, Origin, Pointer } from "../ir/index.ts";
import { createMessage, isJsonObject, visitMessage } from "../ir/index.ts";
import { messageShapes } from "./fields.ts";

/**
 * The roles of an application, such as notices of its interface. An application merges its own into it, each a type with a `role` that no
 * model knows, and maybe an `origin`:
 *
 *     declare module "@rolecall/core" {
 *       interface CustomMessages {
 *         notice: { role: "notice"; text: string; origin?: Origin };
 *       }
 *     }
 */
export interface CustomMessages extends Record<never, never> {}

/** A message of a role that the application has. */
export type CustomMessage = CustomMessages[keyof CustomMessages];
/** What the history of an application holds: messages that models know, and its own. */
export type AgentMessage = Message | CustomMessages[keyof CustomMessages];

type RoleOf<M> = M extends { readonly role: infer R extends string } ? R : never;
/** What a handler makes of a message: one or several messages, or nothing, where no model is to see it. */
export type HandledMessage = MessageInput | readonly MessageInput[] | undefined;
/** One handler for each role of the application. */
export type CustomHandlers = { readonly [M in CustomMessage as RoleOf<M>]: (message: M) => HandledMessage };
export type ConvertToLlm = (messages: readonly AgentMessage[]) => Message[];

type Handler = (message: object) => HandledMessage;

/**
 * A function that turns the history of an application into messages that models know. Messages of the four roles stay as they are.
 *
 * What a handler gives keeps the origin of the message it was made of. Where that states no trust it is untrusted, whatever role the result has,
 * and a handler that claims more is refused with a ConfigError. So is one that gives a system message for something whose origin is not `trusted`:
 * text from outside must not become an instruction. A role without a handler is a ConfigError as well; nothing is dropped unseen.
 */
export function createConvertToLlm({ handlers }: { readonly handlers: CustomHandlers }): ConvertToLlm {
  const table = handlers as { readonly [role: string]: Handler | undefined };
  for (const role of Object.keys(table)) {
    if (Object.hasOwn(messageShapes, role))
      throw new ConfigError(`/handlers/${role}`, `messages of role "${role}" stay as they are; leave the handler out`);
  }
  return (messages) =>
    messages.flatMap((message, index): readonly Message[] => {
      const place = `/messages/${index}`;
      const role: unknown = isJsonObject(message) ? message["role"] : undefined;
      if (typeof role !== "string") throw new ConfigError(place, `${place}: a message has a role; give it one`);
      if (Object.hasOwn(messageShapes, role)) return [message as Message];
      const handler = Object.hasOwn(table, role) ? table[role] : undefined;
      if (typeof handler !== "function")
        throw new ConfigError(
          place,
          `${place}: no handler for the role "${role}"; give one as handlers["${role}"], which may return nothing to leave the message out`,
        );
      const given = handler(message as object) ?? [];
      const origin = { trust: "untrusted", ...(message as { readonly origin?: Origin }).origin } as const;
      return (isList(given) ? given : [given]).map((input) => accept(input, origin, role, place));
    });
}

const isList = (given: NonNullable<HandledMessage>): given is readonly MessageInput[] => Array.isArray(given);

function accept(input: MessageInput, origin: Origin, role: string, place: Pointer): Message {
  if (!isJsonObject(input) || !Object.hasOwn(messageShapes, input.role))
    throw new ConfigError(
      place,
      `${place}: the handler for "${role}" gave no message that a model knows; give one of role ${Object.keys(messageShapes).join(", ")}`,
    );
  const message = createMessage(input);
  if (origin.trust === "trusted") return { ...message, origin: { ...message.origin, ...origin } };
  if (message.role === "system")
    throw new ConfigError(
      place,
      `${place}: only a message of trusted origin may become an instruction; state origin: { trust: "trusted" } on the "${role}" message where that is so, or give a user message`,
    );
  visitMessage(message, null, (node) => {
    if (node.origin?.trust !== "trusted") return;
    throw new ConfigError(
      place,
      `${place}: the handler for "${role}" gives trust that the message does not have; state it on the message, or leave it out`,
    );
  });
  return { ...message, origin: { ...message.origin, ...origin } };
}
