import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject, Loss, ProtocolId } from "@rolecall/core";
import { createConverter, loadProtocol, RolecallError } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../src/audit/audit-body.ts";
import { createBodyAuditor } from "../../src/audit/audit-body.ts";
import type { AuditedConverter } from "../../src/audit/outcome.ts";
import type { Pair } from "../../src/audit/pair.ts";
import { repository } from "../command.ts";

const [anthropic, chat] = await Promise.all([loadProtocol("anthropic-messages"), loadProtocol("openai-chat")]);
const demo: JsonObject = JSON.parse(readFileSync(join(repository, "fixtures/demo/claude-code-like.json"), "utf8"));
const { convertRequest } = createConverter(anthropic, chat);
const limits = { leaves: 500, seed: 1 };

const toChat: Pair = { operation: "request", from: "anthropic-messages", to: "openai-chat" };
const toItself: Pair = { ...toChat, to: "anthropic-messages" };

const honest: AuditedConverter = (body) => convertRequest(body as JsonObject);
const identity: AuditedConverter = (body) => ({ value: body, losses: [] });

function findings(convert: AuditedConverter, pair: Pair = toChat, body: Json = demo): readonly Finding[] {
  return createBodyAuditor(pair, anthropic.redundancy, limits).audit(body, convert).findings;
}

const words = (found: readonly Finding[]): string[] => [
  ...new Set(found.map(({ problem, place }) => `${problem} ${place}`)),
];

type Mutable = Record<string, unknown>;

/** The honest converter with one fault: its output, or its losses, in other hands. */
function faulty(
  change: (output: Mutable, losses: readonly Loss[], body: JsonObject) => readonly Loss[] | undefined,
): AuditedConverter {
  return (body) => {
    const { value, losses } = convertRequest(body as JsonObject);
    const output = structuredClone(value) as Mutable;
    return { losses: change(output, losses, body as JsonObject) ?? losses, value: output as Json };
  };
}

const messagesOf = (output: Mutable): Mutable[] => output["messages"] as Mutable[];
const dropped = (path: string): Loss => ({
  code: "field.no_counterpart",
  kind: "dropped",
  effect: "control",
  severity: "warning",
  stage: "encode",
  from: "anthropic-messages",
  to: "openai-chat",
  path,
  detail: "",
});

describe("an honest converter", () => {
  test("passes", () => {
    const {
      findings: found,
      probes,
      leaves,
    } = createBodyAuditor(toChat, anthropic.redundancy, limits).audit(demo, honest);
    expect(words(found)).toEqual([]);
    expect(leaves).toBeGreaterThan(80);
    expect(probes).toBeGreaterThan(2 * leaves);
  });

  test("of a protocol to itself passes", () => {
    expect(words(findings(identity, toItself))).toEqual([]);
  });

  test("that makes ids of its own passes, also where they depend on the content", () => {
    const convert = faulty((output) => {
      let text = JSON.stringify(output);
      const ids = [...new Set([...text.matchAll(/toolu_\w+/g)].map(([id]) => id))];
      for (const id of ids) text = text.replaceAll(id, `call_${text.length}_${ids.indexOf(id)}`);
      Object.assign(output, JSON.parse(text));
      return undefined;
    });
    expect(words(findings(convert))).toEqual([]);
  });

  test("that refuses with a typed error passes", () => {
    const convert: AuditedConverter = (body) => {
      if (!("metadata" in (body as JsonObject)) || "stop" in (body as JsonObject)) throw new RolecallError("x", "no");
      return honest(body);
    };
    expect(words(findings(convert))).toEqual([]);
  });
});

describe("a converter that loses in silence", () => {
  const within = (found: readonly Finding[], problem: string, place: string): void =>
    expect(words(found)).toContain(`${problem} ${place}`);

  test("a setting", () => {
    const found = findings(faulty((output) => void delete output["max_completion_tokens"] as undefined));
    expect(words(found)).toEqual(["silent change /max_tokens", "silent removal /max_tokens"]);
  });

  test("the description of tools", () => {
    const convert = faulty((output) => {
      for (const tool of output["tools"] as { function: Mutable }[]) delete tool.function["description"];
      return undefined;
    });
    expect(words(findings(convert))).toEqual([
      "silent change /tools/*/description",
      "silent removal /tools/*/description",
    ]);
  });

  test("the arguments of calls", () => {
    const convert = faulty((output) => {
      for (const message of messagesOf(output)) {
        for (const call of (message["tool_calls"] ?? []) as { function: Mutable }[]) call.function["arguments"] = "{}";
      }
      return undefined;
    });
    const place = "/messages/*<assistant>/content/*<tool_use>/input/**";
    expect(words(findings(convert)).sort()).toEqual(
      [`silent change ${place}`, `silent insertion ${place}`, `silent removal ${place}`].sort(),
    );
  });

  test("a result, an image, a text of many", () => {
    const blank = (role: string) =>
      faulty((output) => {
        for (const message of messagesOf(output)) if (message["role"] === role) message["content"] = "x";
        return undefined;
      });
    within(findings(blank("tool")), "silent change", "/messages/*<user>/content/*<tool_result>/content");
    within(findings(blank("user")), "silent change", "/messages/*<user>/content/*<text>/text");
    within(
      findings(blank("user")),
      "silent change",
      "/messages/*<user>/content/*<tool_result>/content/*<image>/source/data",
    );
    within(findings(blank("system")), "silent change", "/system/*<text>/text");
  });

  test("unknown keys", () => {
    const convert = faulty((_output, losses) => losses.filter(({ code }) => code !== "field.no_counterpart"));
    const found = findings(convert);
    within(found, "silent insertion", "/+");
    within(found, "silent insertion", "/messages/*<user>/+");
    within(found, "silent change", "/context_management/edits/*<clear_thinking_20251015>/keep");
  });

  test("the content, but not its length", () => {
    const convert = faulty((output) => {
      for (const message of messagesOf(output)) {
        if (message["role"] === "tool") message["content"] = `${String(message["content"]).length} characters`;
      }
      return undefined;
    });
    within(findings(convert), "content lost", "/messages/*<user>/content/*<tool_result>/content");
  });

  test("a value that a loss of another kind covers", () => {
    const convert = faulty((output, losses) => {
      delete output["max_completion_tokens"];
      return [...losses, { ...dropped("/max_tokens"), kind: "approximated" }];
    });
    expect(words(findings(convert))).toEqual(["wrong kind /max_tokens", "silent removal /max_tokens"]);
  });

  test("everything under one loss of the whole body", () => {
    const convert: AuditedConverter = () => ({ value: {}, losses: [dropped("")] });
    expect(words(findings(convert)).length).toBeGreaterThan(30);
  });
});

describe("a report that tells the change", () => {
  test("by a loss that is gone passes", () => {
    const convert: AuditedConverter = (body) => {
      const { stream } = body as JsonObject;
      return { value: body === null ? null : {}, losses: stream === false ? [dropped("/stream")] : [] };
    };
    expect(words(findings(convert, toChat, { stream: false }))).not.toContain("silent change /stream");
  });

  test("by a loss of what came into an empty list passes, one beside it does not", () => {
    const losing =
      (path: string): AuditedConverter =>
      (body) => ({
        value: {},
        losses: (body as { x?: Json[] }).x?.length === 0 ? [] : [dropped(path)],
      });
    expect(words(findings(losing("/x/0"), toChat, { x: [] }))).not.toContain("silent change /x");
    expect(words(findings(losing("/x/1"), toChat, { x: [] }))).toContain("silent change /x");
  });
});

describe("a converter that misplaces", () => {
  test("what it cannot carry, by writing it into the text", () => {
    const convert = faulty((output, losses, body) => {
      const last = messagesOf(output).at(-1)!;
      last["content"] = `${JSON.stringify(body["messages"])}`;
      for (const message of messagesOf(output)) if (message["role"] === "tool") message["content"] = "";
      return losses.filter(({ path }) => !path.startsWith("/messages"));
    });
    const found = words(findings(convert));
    expect(found).toContain("content misplaced /messages/*<user>/content/*<tool_result>/content");
    expect(found).toContain("content misplaced /messages/*<assistant>/content/*<thinking>/thinking");
  });

  test("the text of the user, by making it an instruction", () => {
    const convert = faulty((output) => {
      for (const message of messagesOf(output)) if (message["role"] === "user") message["role"] = "system";
      return undefined;
    });
    expect(words(findings(convert))).toContain("content misplaced /messages/*<user>/content/*<text>/text");
  });

  test("and says so passes", () => {
    const convert = faulty((output, losses) => {
      const indexes = messagesOf(output).flatMap((message, index) => (message["role"] === "user" ? [index] : []));
      for (const index of indexes) messagesOf(output)[index]!["role"] = "system";
      return [...losses, ...[0, 2, 4].map((index): Loss => ({ ...dropped(`/messages/${index}`), kind: "rewritten" }))];
    });
    expect(words(findings(convert)).filter((word) => word.startsWith("content"))).toEqual([]);
  });
});

describe("a converter that cries wolf", () => {
  test("over one field", () => {
    const convert = faulty((_output, losses) => [...losses, dropped("/max_tokens")]);
    expect(words(findings(convert))).toEqual(["false alarm /max_tokens"]);
  });

  test("over every message", () => {
    const convert = faulty((_output, losses) => [
      ...losses,
      ...[0, 1, 2, 3, 4].map((index) => dropped(`/messages/${index}`)),
    ]);
    const found = words(findings(convert));
    expect(found).toContain("false alarm /messages/*<user>/content/*<text>/text");
    expect(found).toContain("false alarm /messages/*<assistant>/content/*<tool_use>/input/**");
  });
});

describe("a converter to the same protocol", () => {
  test("that forgets a field", () => {
    const convert: AuditedConverter = (body) => {
      const { metadata: _metadata, ...rest } = body as JsonObject;
      return { value: rest, losses: [] };
    };
    expect(words(findings(convert, toItself))).toContain("not the same /");
  });

  test("that sorts a list, that reports a loss", () => {
    const sorted: AuditedConverter = (body) => {
      const { tools, ...rest } = body as JsonObject;
      return { value: Array.isArray(tools) ? { ...rest, tools: tools.toReversed() } : (body as Json), losses: [] };
    };
    expect(words(findings(sorted, toItself))).toContain("not the same /");
    const noisy: AuditedConverter = (body) => ({ value: body, losses: [dropped("/model")] });
    expect(words(findings(noisy, toItself))).toContain("loss to itself /");
  });
});

describe("a converter that breaks", () => {
  test("on the body", () => {
    const convert: AuditedConverter = () => {
      throw new TypeError("cannot read properties of undefined");
    };
    expect(findings(convert)).toEqual([{ problem: "crash", place: "/", pointer: "" }]);
  });

  test("on a probe", () => {
    const convert: AuditedConverter = (body) => {
      if (!("thinking" in (body as JsonObject))) return honest(body);
      if ((body as { thinking: JsonObject }).thinking["type"] === undefined) throw new TypeError("no type");
      return honest(body);
    };
    expect(words(findings(convert))).toEqual(["crash /thinking/type"]);
  });

  test("no body is audited that is refused", () => {
    const audit = createBodyAuditor(toChat, anthropic.redundancy, limits).audit({ messages: 5 }, honest);
    expect(audit).toMatchObject({ leaves: 0, findings: [], refused: expect.stringContaining("/messages") });
  });
});

describe("the audit", () => {
  test("finds each field of the demo that is taken out of the report", () => {
    const { losses } = convertRequest(demo);
    // A stand-in shows that there was something, and which.
    const carrying = losses.filter(
      ({ kind, path, replacement }) => kind === "dropped" && path !== "" && replacement === undefined,
    );
    expect(carrying.length).toBeGreaterThan(2);
    for (const { code, path: field } of carrying) {
      // A change of the field may be told above it.
      const isTold = ({ path }: Loss): boolean => `${field}/`.startsWith(`${path}/`) && path !== "";
      const convert = faulty((_output, all) => all.filter((loss) => !isTold(loss)));
      expect(findings(convert).length, code).toBeGreaterThan(0);
    }
  });

  test("is the same for the same seed, and measures no more leaves than it may", () => {
    const run = (seed: number, leaves: number) =>
      createBodyAuditor(toChat, anthropic.redundancy, { seed, leaves }).audit(demo, (body) => ({
        value: {},
        losses: [],
        beside: body && null,
      }));
    expect(run(3, 20)).toEqual(run(3, 20));
    expect(run(3, 20).leaves).toBe(20);
    expect(run(3, 20)).not.toEqual(run(4, 20));
  });

  test("holds the redundancy list for the only exemption", () => {
    const body = {
      ...demo,
      tools: [{ type: "custom", name: "t", description: "A tool.", input_schema: { type: "object" } }],
    };
    expect(words(findings(honest, toChat, body))).toEqual([]);
    const { findings: found } = createBodyAuditor(toChat, [], limits).audit(body, honest);
    expect(words(found)).toContain("silent removal /tools/*<custom>/type");
  });

  test("names places without content", () => {
    const body = {
      ...demo,
      "a secret key": 1,
      metadata: { user_id: "u", secret: "s" },
      "x-1": { "mail@example.org": true },
    };
    const found = findings(() => ({ value: {}, losses: [] }), toChat, body as Json);
    const text = words(found).join("\n");
    expect(text).not.toMatch(/secret|mail|Zq|coupon|workspace/);
    expect(text).toContain("silent change /*");
    expect(text).toContain("silent change /metadata/**");
  });

  test("leaves bodies as they are", () => {
    const frozen = deepFreeze(structuredClone(demo));
    expect(words(findings(honest, toChat, frozen as Json))).toEqual([]);
  });

  test("measures the fixtures of all protocols that are spoken without a crash", async () => {
    const folder = join(repository, "fixtures/parallel");
    for (const name of readdirSync(folder)) {
      for (const protocol of [anthropic, chat]) {
        for (const other of [anthropic, chat]) {
          const file = readdirSync(join(folder, name)).find((entry) => entry === `${protocol.id}.request.json`);
          if (file === undefined) continue;
          const body = JSON.parse(readFileSync(join(folder, name, file), "utf8"));
          const pair: Pair = { operation: "request", from: protocol.id as ProtocolId, to: other.id as ProtocolId };
          const convert = createConverter(protocol, other);
          const audit = createBodyAuditor(pair, protocol.redundancy, { leaves: 30, seed: 5 }).audit(body, (value) =>
            convert.convertRequest(value as JsonObject),
          );
          expect(
            audit.findings.filter(({ problem }) => problem === "crash"),
            `${name} ${protocol.id}`,
          ).toEqual([]);
        }
      }
    }
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
