// The bodies that the search begins with: the fixtures of the repository, what the generators of `@rolecall/core/testing` make, and, where
// ROLECALL_CORPUS names a folder of recordings, the small ones of these.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { valueAt } from "@rolecall/core";
import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { repository } from "../../run.mjs";
import { protocolIds } from "../core.mjs";
import { framesOf } from "./streams.mjs";

/** @import { Json } from "@rolecall/core" */
/** @import { Core, Id } from "../core.mjs" */
/** @typedef {"request" | "response" | "error" | "stream"} Kind */
/** @typedef {Record<Kind, Record<Id, Json[]>>} Seeds the small ones first; a stream is the list of its frames */

const kinds = /** @type {const} */ (["request", "response", "error", "stream"]);
const isId = (/** @type {string} */ word) => /** @type {readonly string[]} */ (protocolIds).includes(word);
/** Larger recordings cost more time than they find. */
const LONGEST = 8_000;
const GENERATED = 150;

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(join(repository, file), "utf8"));

/**
 * @param {Core} core
 * @param {number} seed of what is generated
 * @param {string | undefined} corpus
 * @returns {Seeds}
 */
export function readSeeds(core, seed, corpus) {
  /** @type {any} */
  const empty = {};
  for (const kind of kinds) empty[kind] = Object.fromEntries(protocolIds.map((id) => [id, []]));
  const seeds = /** @type {Seeds} */ (empty);
  addParallel(seeds);
  addMatrix(seeds);
  addGenerated(core, seeds, seed);
  if (corpus !== undefined && corpus !== "") addRecordings(seeds, corpus);
  for (const bodies of kinds.flatMap((kind) => Object.values(seeds[kind]))) {
    const sizes = new Map(bodies.map((body) => [body, JSON.stringify(body).length]));
    bodies.sort((left, right) => Number(sizes.get(left)) - Number(sizes.get(right)));
  }
  return seeds;
}

/** @param {Seeds} seeds */
function addParallel(seeds) {
  for (const name of readdirSync(join(repository, "fixtures/parallel"))) {
    for (const file of readdirSync(join(repository, "fixtures/parallel", name))) {
      const [id = "", kind = ""] = file.split(".");
      if (isId(id) && kind in seeds)
        seeds[/** @type {Kind} */ (kind)][/** @type {Id} */ (id)].push(read(`fixtures/parallel/${name}/${file}`));
    }
  }
}

/** @param {Seeds} seeds */
function addMatrix(seeds) {
  for (const kind of kinds) {
    const bases = read(`fixtures/matrix/bases/${kind}.json`);
    for (const id of protocolIds) seeds[kind][id].push(bases[id]);
  }
  for (const file of readdirSync(join(repository, "fixtures/matrix")).filter((name) => name.endsWith(".json"))) {
    for (const { mode, cells } of read(`fixtures/matrix/${file}`)) {
      const bases = read(`fixtures/matrix/bases/${mode}.json`);
      for (const id of protocolIds) {
        for (const { add } of Array.isArray(cells[id]) ? cells[id] : [])
          addBody(seeds, mode, id, withAdded(structuredClone(bases[id]), add));
      }
    }
  }
}

/**
 * @param {Seeds} seeds
 * @param {Kind} kind
 * @param {Id} id
 * @param {Json} body
 */
function addBody(seeds, kind, id, body) {
  const isFrame = (/** @type {any} */ frame) => frame.data !== undefined;
  seeds[kind][id].push(kind === "stream" ? /** @type {Json[]} */ (body).filter(isFrame) : body);
}

/**
 * @param {Json} body
 * @param {Record<string, Json>} added by place
 * @returns {Json}
 */
function withAdded(body, added) {
  for (const [place, value] of Object.entries(added)) {
    const end = place.lastIndexOf("/");
    const key = place.slice(end + 1);
    const parent = /** @type {any} */ (valueAt(body, place.slice(0, end)));
    if (!Array.isArray(parent)) parent[key] = value;
    else parent.splice(key === "-" ? parent.length : Number(key), 0, value);
  }
  return body;
}

/**
 * @param {Core} core
 * @param {Seeds} seeds
 * @param {number} seed
 */
function addGenerated({ createConverter, protocols }, seeds, seed) {
  const options = { numRuns: GENERATED, seed };
  for (const id of protocolIds) {
    seeds.request[id].push(...fc.sample(arbitraryRequestBody(id), options));
    const answers = fc.sample(arbitraryResponseBody(id), options);
    seeds.response[id].push(...answers);
    const converter = createConverter(protocols[id], protocols[id]);
    for (const answer of answers) {
      try {
        seeds.stream[id].push(/** @type {any} */ (framesOf(converter.streamResponse(answer).value)));
      } catch {
        // Some answers have no stream, or are none.
      }
    }
  }
}

/**
 * @param {Seeds} seeds
 * @param {string} corpus
 */
function addRecordings(seeds, corpus) {
  const [, ...rows] = readFileSync(join(corpus, "recordings/INDEX.tsv"), "utf8").trim().split("\n");
  for (const [path = "", protocol = "", , , bytes] of rows.map((row) => row.split("\t"))) {
    if (!isId(protocol) || Number(bytes) > LONGEST) continue;
    const id = /** @type {Id} */ (protocol);
    const { request, response, stream } = JSON.parse(readFileSync(join(corpus, "recordings", path), "utf8"));
    const { body, status } = response ?? {};
    if (request?.body) seeds.request[id].push(request.body);
    if (body) seeds[status >= 400 ? "error" : "response"][id].push(body);
    const frames = typeof stream === "string" ? framesOf(stream) : [];
    if (frames.length > 0) seeds.stream[id].push(/** @type {any} */ (frames));
  }
}
