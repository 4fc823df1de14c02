import type { Profile } from "@rolecall/core";
import { ConfigError, checkProfile, convertRequest, loadProtocol, protocolIds, valueAt } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const wrong: readonly (readonly [profile: Profile, path: string, message: string])[] = [
  [{ toolNamePattern: "([" }, "/toolNamePattern", '"toolNamePattern" must be a regular expression'],
  [{ toolCallIdPattern: "a)|(b" }, "/toolCallIdPattern", '"toolCallIdPattern" must be a regular expression'],
  [{ toolNamePattern: "a".repeat(501) }, "/toolNamePattern", "500 characters at most, not 501"],
  [{ maxOutputTokens: -5 }, "/maxOutputTokens", '"maxOutputTokens" must be a whole number from 1, not -5'],
  [{ maxOutputTokens: 0 }, "/maxOutputTokens", "from 1, not 0"],
  [{ maxOutputTokens: 1.5 }, "/maxOutputTokens", "from 1, not 1.5"],
  [{ maxOutputTokens: Number.NaN }, "/maxOutputTokens", "from 1, not NaN"],
  [{ maxOutputTokens: 1e300 }, "/maxOutputTokens", "from 1, not 1e+300"],
  [{ maxCacheBreakpoints: -1 }, "/maxCacheBreakpoints", "from 0, not -1"],
];

describe.each(wrong)("a wrong profile %#", (profile, path, message) => {
  test(`is refused at ${path}: ${message}`, () => {
    const check = () => checkProfile(profile);
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(expect.objectContaining({ path, message: expect.stringContaining(message) }));
  });

  test.each(protocolIds)("is refused as the target of a request in %s", async (to) => {
    const request = { max_tokens: 5, messages: [{ role: "user", content: "hi" }] };
    const converted = convertRequest(request, { from: "anthropic-messages", to, target: profile });
    await expect(converted).rejects.toThrow(expect.objectContaining({ path, code: "config" }));
  });
});

test.each<Profile>([
  {},
  { toolNamePattern: "a".repeat(500), toolCallIdPattern: "^[a-z]{9}$" },
  { maxOutputTokens: 1, maxCacheBreakpoints: 0 },
])("profile %# is right", (profile) => {
  expect(() => checkProfile(profile)).not.toThrow();
});

test.each(protocolIds)("the profiles of %s are right", async (id) => {
  for (const profile of Object.values((await loadProtocol(id)).profiles)) {
    expect(() => checkProfile(profile)).not.toThrow();
  }
});

describe("the model of a body", () => {
  const body = {
    model: "claude-opus-4-8",
    max_tokens: 20_000,
    reasoning_effort: "high",
    messages: [
      { role: "user", content: "a" },
      { role: "system", content: "Be brief." },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ],
  };

  test.each<Profile | undefined>([undefined, { provider: "anthropic" }, { model: "claude-opus-4-8" }])(
    "decides what it takes, target %j",
    async (target) => {
      const { value } = await convertRequest(body, { to: "anthropic-messages", ...(target && { target }) });
      expect(value).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
      expect(valueAt(value, "/messages/1/role")).toBe("system");
    },
  );

  test("gives way to the model of the profile", async () => {
    const target = { model: "claude-sonnet-4-5" };
    const { value } = await convertRequest(body, { to: "anthropic-messages", target });
    expect(value).toMatchObject({ thinking: { type: "enabled" } });
  });
});
