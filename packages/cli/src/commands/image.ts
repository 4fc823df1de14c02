import { existsSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import type { InlineImage } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import { wholeNumber } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { mistaken } from "../input/file.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { attachment } from "../models/attachments.ts";
import { namedImageModel, ofModels, serverOptions } from "../models/known.ts";
import { interruptible, pipedText, tell, tellUnlisted } from "../models/operation.ts";
import { writeJson } from "../terminal/json.ts";
import { visible } from "../terminal/text.ts";

export const imageDefinition: CommandDefinition = {
  name: "image",
  about: "Draws an image from words, and from other images.",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: [
    { name: "model", short: "m", value: "SERVICE/MODEL", about: "the model that is asked" },
    { name: "output", short: "o", value: "FILE", about: "where the image is written; further ones get a number" },
    { name: "file", short: "f", value: "FILE", repeats: true, about: "an image that is changed, or taken after" },
    { name: "n", value: "N", about: "how many images" },
    { name: "size", value: "SIZE", about: "as the service writes it, such as 1024x1024" },
    { name: "force", about: "write over files that are there" },
    ...serverOptions,
    { name: "losses", about: "list what was lost on the way" },
    { name: "json", about: "print the result, without the data of its images" },
  ],
  notes: [
    "Names of the files that were written go to standard output. What a service keeps under a URL is told, and not fetched.\n" +
      "Exit codes: 0 done, 1 there is no image, 2 usage is wrong or a key is missing, 70 internal error, 130 interrupted.",
  ],
};

/** Runs `rolecall image`; the result is its exit code. */
export async function imageCommand(args: Arguments, environment: Environment): Promise<number> {
  const { output: file, size } = args.values;
  if (file === undefined) throw new Mistake("state where the image is written: --output FILE");
  // Before anything is paid for.
  if (!args.switches.has("force") && existsSync(file)) throw alreadyThere(file);
  const n = args.values["n"] === undefined ? undefined : wholeNumber(args, "n", 1, 1);
  const [stated] = args.operands;
  const prompt = stated === undefined || stated === "-" ? await pipedText(environment) : stated;
  if (prompt.trim() === "") throw new Mistake("nothing is asked: state a PROMPT, or pipe one in");
  const images = (args.lists["file"] ?? []).map(imageIn);
  const { models, model, isUnlisted } = await namedImageModel(args, environment);
  if (isUnlisted) tellUnlisted(model, environment);
  const result = await interruptible((signal) =>
    ofModels(() =>
      models.generateImages(
        model,
        {
          prompt,
          ...(n !== undefined && { n }),
          ...(size !== undefined && { size }),
          ...(images.length > 0 && { images }),
        },
        { signal },
      ),
    ),
  );
  const files = result.images.map((image, index) => write(file, index, image, args.switches.has("force")));
  const { output, messages } = environment;
  if (args.switches.has("json")) {
    const shown = result.images.map(({ data: _data, ...image }, index) => ({ ...image, file: files[index] }));
    writeJson({ ...result, images: shown }, output);
  } else for (const name of files) output.write(`${visible(name)}\n`);
  for (const { url } of result.links) messages.write(`kept by the service: ${visible(url)}\n`);
  const usage = result.cost === undefined ? result.usage : { ...result.usage, cost: result.cost };
  const exitCode = tell({ ...result, usage }, result.losses, result.durationMs, args, environment);
  return exitCode === exitCodes.done && files.length === 0 && result.links.length === 0 ? exitCodes.findings : exitCode;
}

function imageIn(file: string): InlineImage {
  const part = attachment(file);
  if (part.type !== "image" || part.source.type !== "base64")
    throw new Mistake(`${file}: no image (PNG, JPEG, GIF, WebP)`);
  const { data, mediaType } = part.source;
  return { data, mediaType };
}

/** Gives the name of the file. One that is there may be the only one of its kind. */
function write(file: string, index: number, { data }: InlineImage, mayReplace: boolean): string {
  const extension = extname(file);
  const name = index === 0 ? file : `${file.slice(0, file.length - extension.length)}-${index + 1}${extension}`;
  try {
    writeFileSync(name, Buffer.from(data, "base64"), { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw alreadyThere(name);
    throw mistaken("write", name, error);
  }
  return name;
}

function alreadyThere(file: string): Mistake {
  return new Mistake(`${file} is there already: --force writes over it`);
}
