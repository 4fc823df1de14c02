import { describe, expect, test } from "vitest";
import { createArgumentSnapshot } from "../../../src/index.ts";

describe("snapshot of arguments", () => {
  test("gives the best object so far", () => {
    const snapshot = createArgumentSnapshot();
    const seen = ['{"pa', 'th":"/t', 'mp","n":1', "2,", '"list":[tr', 'ue,{"a":"\\u00', 'e9"', "}],", '"z":null}'].map(
      (piece) => JSON.stringify(snapshot.push(piece)),
    );
    expect(seen).toEqual([
      "{}",
      '{"path":"/t"}',
      '{"path":"/tmp"}',
      '{"path":"/tmp","n":12}',
      '{"path":"/tmp","n":12,"list":[]}',
      '{"path":"/tmp","n":12,"list":[true,{"a":""}]}',
      '{"path":"/tmp","n":12,"list":[true,{"a":"é"}]}',
      '{"path":"/tmp","n":12,"list":[true,{"a":"é"}]}',
      '{"path":"/tmp","n":12,"list":[true,{"a":"é"}],"z":null}',
    ]);
    expect(snapshot.complete).toBe(true);
  });

  const values = [
    {},
    { a: [] },
    { "": "", 'q"\\': 'x\n\t"\\/\u2028' },
    { n: [0, -1, 1.5, 1e21, -2.5e-7], b: [true, false, null], deep: { a: { b: [[[{ c: "🌍" }]]] } } },
    { half: "\ud83d", ["__proto__"]: 1 },
  ];
  test.each(values)("reads what JSON.parse reads, in every split: %j", (value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const expected = JSON.parse(text);
      for (let size = 1; size <= text.length; size++) {
        const snapshot = createArgumentSnapshot();
        for (let at = 0; at < text.length; at += size) snapshot.push(text.slice(at, at + size));
        expect(snapshot.value).toEqual(expected);
        expect([snapshot.complete, snapshot.invalid]).toEqual([true, false]);
      }
    }
  });

  test("keeps a key named __proto__ its own", () => {
    const snapshot = createArgumentSnapshot();
    snapshot.push('{"__proto__":{"polluted":1}}');
    expect(Object.hasOwn(snapshot.value, "__proto__")).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each(["[1]", '"a"', "1", "{a", '{"a" 1', '{"a":1,}', '{"a":tru}', '{"a":01}', '{"a":"\\x"}', "{}{", '{"a":1]'])(
    "calls %s invalid",
    (text) => {
      const snapshot = createArgumentSnapshot();
      snapshot.push(text);
      expect([snapshot.complete, snapshot.invalid]).toEqual([false, true]);
    },
  );

  test.each(["", " ", "{", '{"a', '{"a":', '{"a":"x', '{"a":1', '{"a":[', '{"a":"\\u00'])(
    "calls %s unfinished",
    (text) => {
      const snapshot = createArgumentSnapshot();
      snapshot.push(text);
      expect([snapshot.complete, snapshot.invalid]).toEqual([false, false]);
    },
  );

  const shapes: { readonly [name: string]: (kilobytes: number) => string } = {
    "one string": (kilobytes) => JSON.stringify({ content: 'line of text with "quotes"\n'.repeat(kilobytes * 36) }),
    "a list of objects": (kilobytes) =>
      JSON.stringify({
        items: Array.from({ length: kilobytes * 4 }, (_, id) => ({
          id,
          name: "a longer name ".repeat(16),
          tags: ["a"],
        })),
      }),
  };
  // Repeated, because other tests run beside it; over an eightfold input quadratic time would grow to 64 times.
  test.each(Object.entries(shapes))("takes linear time for %s", { retry: 4 }, (_, make) => {
    const time = (text: string): number => {
      const started = process.cpuUsage();
      const snapshot = createArgumentSnapshot();
      for (let at = 0; at < text.length; at += 8) snapshot.push(text.slice(at, at + 8));
      expect(snapshot.complete).toBe(true);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    const [small, large] = [make(50), make(400)];
    time(large);
    // Interleaved, and the best of many: other tests run beside this one.
    const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 8; round++) {
      best.small = Math.min(best.small, time(small));
      best.large = Math.min(best.large, time(large));
    }
    expect(best.large / best.small).toBeLessThan(24);
  });
});
