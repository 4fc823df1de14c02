import { copyOf } from "./inputs/mutate.mjs";

/** So long is searched for a smaller input. */
const BUDGET = 4_000;

/**
 * A smaller input for which `fails` still holds: first parts of its JSON are left out, then bytes.
 * @param {Uint8Array} input
 * @param {(input: Uint8Array) => Promise<boolean>} fails
 * @returns {Promise<Uint8Array>}
 */
export async function shrink(input, fails) {
  const deadline = performance.now() + BUDGET;
  let best = await shrinkJson(input, fails, deadline);
  for (let size = best.length >> 1; size >= 1; size >>= 1) {
    for (let start = 0; start + size <= best.length && performance.now() < deadline; ) {
      const shorter = new Uint8Array(best.length - size);
      shorter.set(best.subarray(0, start));
      shorter.set(best.subarray(start + size), start);
      if (await fails(shorter)) best = shorter;
      else start += size;
    }
  }
  return best;
}

/**
 * @param {Uint8Array} input
 * @param {(input: Uint8Array) => Promise<boolean>} fails
 * @param {number} deadline
 */
async function shrinkJson(input, fails, deadline) {
  let best = input;
  /** @type {any} */
  let body;
  try {
    body = JSON.parse(new TextDecoder().decode(input));
  } catch {
    return best;
  }
  const root = { body };
  /** @type {(holder: any) => Promise<void>} */
  const visit = async (holder) => {
    for (const key of Object.keys(holder).reverse()) {
      if (performance.now() > deadline) return;
      const value = holder[key];
      for (const smaller of smallerThan(value)) {
        if (smaller !== undefined) holder[key] = smaller;
        else if (holder === root) continue;
        else if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
        const bytes = new TextEncoder().encode(JSON.stringify(root.body));
        if (bytes.length < best.length && (await fails(bytes))) {
          best = bytes;
          break;
        }
        if (smaller !== undefined) holder[key] = value;
        else if (Array.isArray(holder)) holder.splice(Number(key), 0, value);
        else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
      }
      if (typeof holder[key] === "object" && holder[key] !== null) await visit(holder[key]);
    }
  };
  await visit(root);
  return best;
}

/**
 * What may stand in the place of a value; undefined for nothing at all.
 * @param {any} value
 * @returns {any[]}
 */
function smallerThan(value) {
  if (typeof value === "string") return [undefined, "", "a"];
  if (Array.isArray(value)) return [undefined, [], ...value.slice(0, 2).map(copyOf)];
  if (typeof value === "object" && value !== null)
    return [undefined, {}, ...Object.values(value).slice(0, 2).map(copyOf)];
  return [undefined, 0];
}
