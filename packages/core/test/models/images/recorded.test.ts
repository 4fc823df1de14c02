import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../../test/corpus.ts";
import { json } from "../service.ts";
import { startOpenAi } from "./draw.ts";

interface Recording {
  readonly request: { readonly path: string; readonly body: { readonly [name: string]: unknown } };
  readonly response: { readonly status: number; readonly body: { readonly data: readonly object[] } } | null;
}

describeWithCorpus("recorded images", (folder) => {
  const place = join(folder, "recordings", "openai-images");
  const names = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  const recordings = names.map((name) => ({
    name,
    recording: JSON.parse(readFileSync(join(place, name), "utf8")) as Recording,
  }));
  const answered = recordings.flatMap(({ name, recording: { request, response } }) =>
    response === null ? [] : [{ name, request, response }],
  );
  test("are there", () => expect(answered.length).toBeGreaterThan(5));

  test.each(answered)("$name is read whole", async ({ request, response: { status, body } }) => {
    const { model: id, prompt, n, size, quality } = request.body;
    const { models, model, service } = await startOpenAi((_request, response) => json(response, status, body), {
      id: String(id),
    });
    const asked = { prompt: String(prompt), n, size, quality };
    const result = await models.generateImages(
      model,
      Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as { prompt: string },
    );
    expect(result.stopReason).toBe("stop");
    expect(result.images.length + result.links.length).toBe(body.data.length);
    const [sent] = service.received;
    expect(sent?.url).toBe(request.path);
    expect(sent?.body).toMatchObject({ model: id, prompt, ...(n !== undefined && { n }) });
  });
});
