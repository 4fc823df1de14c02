import type { AgentMessage, ContextInput, CustomHandlers, HandledMessage, Message, Origin } from "@rolecall/core";
import { ConfigError, createConvertToLlm, effectiveInstructions, normalizeContext, originOf } from "@rolecall/core";
import { describe, expect, expectTypeOf, test } from "vitest";

interface Notice {
  readonly role: "notice";
  readonly text: string;
  readonly origin?: Origin;
}
interface Business {
  readonly role: "businessState";
  readonly stock: number;
  readonly origin?: Origin;
}
declare module "@rolecall/core" {
  interface CustomMessages {
    notice: Notice;
    business: Business;
  }
}

const user: Message = { role: "user", content: [{ type: "text", text: "hi" }] };
const notice: Notice = { role: "notice", text: "Downloading" };
const trusted = { source: "operator", trust: "trusted" } as const;
const page = { source: "retrieval", trust: "untrusted" } as const;

const convert = (handler: (message: Business) => HandledMessage, messages: readonly AgentMessage[]): Message[] =>
  createConvertToLlm({ handlers: { notice: () => undefined, businessState: handler } })(messages);
const asUser = ({ stock }: Business): HandledMessage => ({ role: "user", content: `${stock} left` });
const asSystem = ({ stock }: Business): HandledMessage => ({ role: "system", content: `${stock} left` });

describe("messages of an application", () => {
  test("become what their handler gives: a message, several, or nothing", () => {
    const business: Business = { role: "businessState", stock: 3, origin: trusted };
    expect(convert(asUser, [user, notice, business]).map(({ content }) => content)).toEqual([
      user.content,
      [{ type: "text", text: "3 left" }],
    ]);
    expect(convert((message) => [asUser(message), asSystem(message)] as never, [business])).toHaveLength(2);
    expect(convert(() => [], [business])).toEqual([]);
  });

  test("leave the messages of the four roles as they are", () => {
    expect(convert(asUser, [user, notice, user])[1]).toBe(user);
  });

  test("keep their origin, against what the handler says of it", () => {
    const [message] = convert(
      ({ stock }) => ({ role: "user", content: `${stock}`, origin: { source: "operator" } }),
      [{ role: "businessState", stock: 3, origin: page }],
    );
    expect(message!.origin).toEqual(page);
    const [other] = convert(
      ({ stock }) => ({ role: "user", content: `${stock}`, origin: { source: "file" } }),
      [{ role: "businessState", stock: 3, origin: { trust: "trusted" } }],
    );
    expect(other!.origin).toEqual({ source: "file", trust: "trusted" });
  });

  test.each([undefined, {}, { source: "operator" } as const])("are untrusted with the origin %j", (origin) => {
    const [message] = convert(asUser, [{ role: "businessState", stock: 3, ...(origin && { origin }) }]);
    expect(originOf(message!)).toMatchObject({ trust: "untrusted", ...origin });
  });
});

describe("an instruction", () => {
  test("comes from a message of trusted origin", () => {
    const messages = convert(asSystem, [{ role: "businessState", stock: 3, origin: trusted }]);
    expect(effectiveInstructions(messages)).toMatchObject([{ text: "3 left", origin: trusted }]);
  });

  test.each([undefined, page, { source: "operator" } as const])("never from one of origin %j", (origin) => {
    const business: Business = { role: "businessState", stock: 3, ...(origin && { origin }) };
    const attempt = () => convert(asSystem, [user, business]);
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(expect.objectContaining({ path: "/messages/1" }));
    expect(attempt).toThrow(/trust: "trusted"/);
  });
});

describe("a handler", () => {
  const business: Business = { role: "businessState", stock: 3, origin: page };

  test.each<[what: string, given: HandledMessage]>([
    ["on the message", { role: "user", content: "", origin: trusted }],
    ["on a part", { role: "user", content: [{ type: "text", text: "", origin: { trust: "trusted" } }] }],
    [
      "within a document",
      {
        role: "user",
        content: [
          {
            type: "document",
            source: { type: "content", content: [{ type: "text", text: "", origin: { trust: "trusted" } }] },
          },
        ],
      },
    ],
    ["on one of several", [user, { role: "user", content: "", origin: { trust: "trusted" } }]],
  ])("gives no trust that the message has not, %s", (_what, given) => {
    const attempt = () => convert(() => given, [business]);
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(/trust that the message does not have/);
  });

  test.each<[what: string, given: unknown]>([
    ["a role of the application", notice],
    ["text", "3 left"],
    ["a promise", Promise.resolve(user)],
    ["null in a list", [null]],
  ])("that gives %s is refused", (_what, given) => {
    expect(() => convert(() => given as HandledMessage, [business])).toThrow(/gave no message that a model knows/);
  });

  test("is needed for each role", () => {
    const incomplete = createConvertToLlm({ handlers: { notice: () => undefined } as unknown as CustomHandlers });
    expect(() => incomplete([business])).toThrow(ConfigError);
    expect(() => incomplete([business])).toThrow(/handlers\["businessState"\]/);
    for (const role of ["constructor", "toString", "__proto__"])
      expect(() => incomplete([{ role } as unknown as Notice])).toThrow(ConfigError);
    expect(() => incomplete([{} as Notice])).toThrow(/a message has a role/);
    expect(() => incomplete([null as unknown as Notice])).toThrow(ConfigError);
  });

  test("is not asked for messages that models know, so that one is a mistake", () => {
    const handlers = { notice: asUser, businessState: asUser, user: asUser } as unknown as CustomHandlers;
    expect(() => createConvertToLlm({ handlers })).toThrow(expect.objectContaining({ path: "/handlers/user" }));
  });
});

test("a role that nobody converted is told by normalizeContext", () => {
  expect(() => normalizeContext({ messages: [notice] } as unknown as ContextInput)).toThrow(/createConvertToLlm/);
});

test("the roles of an application have types", () => {
  expectTypeOf<AgentMessage>().toEqualTypeOf<Message | Notice | Business>();
  expectTypeOf<keyof CustomHandlers>().toEqualTypeOf<"notice" | "businessState">();
  expectTypeOf<CustomHandlers["businessState"]>().parameter(0).toEqualTypeOf<Business>();
});
