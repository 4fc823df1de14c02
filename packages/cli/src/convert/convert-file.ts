import type {
  Acceptance,
  ConvertRequestOptions,
  Exchange,
  Json,
  JsonObject,
  Loss,
  Profile,
  ProtocolId,
} from "@rolecall/core";
import { convertError, convertRequest, convertResponse, isJsonObject } from "@rolecall/core";
import type { Body } from "../input/body.ts";
import { bodiesIn, inexactIn, printableRequest, protocolOf, wireRequestOf } from "../input/body.ts";
import { readExchange } from "../input/exchange.ts";
import type { JsonFile } from "../input/file.ts";
import { readProfile } from "../input/profile.ts";
import { blame, Mistake, ofOptions } from "../mistake.ts";

export type Kind = "request" | "response" | "error";

/** What the options of the command say about a conversion. */
export interface ConversionPlan {
  /** Absent: detected. */
  readonly from?: ProtocolId;
  readonly to: ProtocolId;
  /** Absent: detected. */
  readonly kind?: Kind;
  readonly onLoss: "report" | "throw";
  readonly accept: readonly Acceptance[];
  /** As given: JSON text or the name of a file. */
  readonly source?: string;
  readonly target?: string;
  readonly exchange?: string;
}

export interface FileConversion {
  readonly from: ProtocolId;
  /** What was converted, without what stood around it in the file. */
  readonly body: Json;
  /** What is printed. */
  readonly value: Json;
  readonly losses: readonly Loss[];
  readonly exchange?: Exchange;
}

/** Converts what a file holds. Throws a Mistake that names the file, or a LossError. */
export type FileConverter = (file: JsonFile) => Promise<FileConversion>;

/** A converter for any number of files: what the plan names is read once. */
export function createFileConverter(plan: ConversionPlan): FileConverter {
  const known = new Map<ProtocolId, Promise<FileOptions>>();
  const optionsFrom = (from: ProtocolId): Promise<FileOptions> => {
    const options = known.get(from) ?? ofOptions(() => optionsOf(plan, from));
    known.set(from, options);
    return options;
  };
  const { kind } = plan;
  if (kind === "error") return (file) => convertErrorFile(file, plan, optionsFrom);
  return (file) => convertBody(file, kind, plan, optionsFrom);
}

type FileOptions = ConvertRequestOptions & { exchange?: Exchange };
type OptionsFrom = (from: ProtocolId) => Promise<FileOptions>;

async function convertBody(
  file: JsonFile,
  kind: "request" | "response" | undefined,
  plan: ConversionPlan,
  optionsFrom: OptionsFrom,
): Promise<FileConversion> {
  const body = bodyOf(file, kind);
  const from = plan.from ?? detected(file, body);
  if (body.operation === "request" && plan.exchange !== undefined) {
    throw new Mistake("--exchange belongs to the conversion of a response; state --kind response, or leave it out");
  }
  const options = { ...(await optionsFrom(from)), from, to: plan.to, inexact: inexactIn(body, file.inexact()) };
  if (body.operation === "request") {
    const converted = await blame(file.name, () => convertRequest(wireRequestOf(body), options));
    const { losses, exchange } = converted;
    return { from, body: body.value, value: printableRequest(converted.value), losses, exchange };
  }
  const response = body.value;
  const { value, losses } = await blame(file.name, () => convertResponse(response, options));
  return { from, body: response, value, losses };
}

function bodyOf(file: JsonFile, kind: "request" | "response" | undefined): Body & { readonly value: JsonObject } {
  const bodies = bodiesIn(file.value, kind);
  const body = bodies.find(({ operation }) => operation === "request") ?? bodies[0];
  if (body === undefined) throw new Mistake(`${file.name}: the recorded exchange holds no ${kind ?? "body"} as JSON`);
  const { value } = body;
  if (!isJsonObject(value)) {
    const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw new Mistake(`${file.name}: a ${body.operation} must be an object, not ${found}`);
  }
  if (isJsonObject(value["error"]) && !("messages" in value)) {
    throw new Mistake(
      `${file.name}: this is the body of an error; give {"status": …, "headers": {…}, "body": …} with --kind error`,
    );
  }
  return { ...body, value };
}

function detected({ name }: JsonFile, body: Body): ProtocolId {
  const protocol = protocolOf(body);
  if (protocol !== undefined) return protocol;
  throw new Mistake(`${name}: the ${body.operation} could be of several protocols, or of none; say which with --from`);
}

async function optionsOf(plan: ConversionPlan, from: ProtocolId): Promise<FileOptions> {
  const { to, onLoss, accept } = plan;
  const profile = async (
    option: string,
    given: string | undefined,
    protocol: ProtocolId,
  ): Promise<Profile | undefined> => (given === undefined ? undefined : readProfile(option, given, protocol));
  const source = await profile("--source", plan.source, from);
  const target = await profile("--target", plan.target, to);
  return {
    onLoss,
    accept,
    ...(source !== undefined && { source }),
    ...(target !== undefined && { target }),
    ...(plan.exchange !== undefined && { exchange: await readExchange(plan.exchange, from, to) }),
  };
}

async function convertErrorFile(
  file: JsonFile,
  plan: ConversionPlan,
  optionsFrom: OptionsFrom,
): Promise<FileConversion> {
  const answer = answerOf(file);
  const at = answer === file.value ? "/body" : "/response/body";
  const { status, headers, body = null } = answer;
  const shape = '{"status": 429, "headers": {…}, "body": {…}}';
  if (typeof status !== "number" || !Number.isInteger(status) || status < 100 || status > 599) {
    throw new Mistake(`${file.name}: an error needs an HTTP status (at /status): ${shape}`);
  }
  if (
    headers !== undefined &&
    !(isJsonObject(headers) && Object.values(headers).every((item) => typeof item === "string"))
  ) {
    throw new Mistake(`${file.name}: the headers of an error are an object of strings (at /headers): ${shape}`);
  }
  const from = plan.from ?? detected(file, { operation: "response", value: body, at });
  const inexact = inexactIn({ at }, file.inexact());
  const options = { ...(await optionsFrom(from)), from, to: plan.to, ...(inexact.length > 0 && { inexact }) };
  const input = { status, body, ...(headers !== undefined && { headers: headers as Record<string, string> }) };
  const { value, losses } = await blame(file.name, () => convertError(input, options));
  return { from, body, value: value as unknown as Json, losses };
}

/** The answer itself, or that of a recorded exchange. */
function answerOf({ name, value }: JsonFile): JsonObject {
  const answer =
    isJsonObject(value) && !("status" in value) && isJsonObject(value["response"]) ? value["response"] : value;
  if (isJsonObject(answer)) return answer;
  throw new Mistake(`${name}: an error is an object {"status": 429, "headers": {…}, "body": {…}}`);
}
