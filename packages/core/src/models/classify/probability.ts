import type { Answer, Question } from "./question.ts";
import type { AnswerToken } from "./tokens.ts";

type Probabilities = Pick<Answer<string>, "probability" | "probabilities">;

const nothing: Probabilities = {};

/**
 * How likely the value under a key of an answer was, by its tokens. The way to it is followed token by token: in the place of each there were others,
 * and one that leads to another value, and to no third, counts for that one. The first token that leads to one value alone settles it; what comes
 * behind it is certain. Where the tokens do not tell this, nothing is said.
 */
export function probabilitiesOf(
  question: Question,
  value: string | number | boolean,
  key: string,
  text: string,
  tokens: readonly AnswerToken[],
): Probabilities {
  const start = tokens.length === 0 ? -1 : startOf(key, text, question.type === "choice");
  if (start < 0) return nothing;
  const found = follow(tokens, start, settlerOf(question));
  const probability = found?.get(String(value));
  // The value that the tokens settle is the one that was read, or they are not understood.
  if (found === undefined || probability === undefined) return nothing;
  if (question.type === "score") return { probability };
  const probabilities: { [value: string]: number } = Object.create(null);
  for (const [name, likely] of found) probabilities[name] = likely;
  return { probability, probabilities };
}

/** Where the value of a key begins, behind its quotation mark if it has one; -1 where the key does not stand exactly once. */
function startOf(key: string, text: string, isString: boolean): number {
  const places = [...text.matchAll(new RegExp(`"${key}"\\s*:\\s*`, "g"))];
  const [place] = places;
  if (place === undefined || places.length > 1) return -1;
  return place.index + place[0].length + (isString ? 1 : 0);
}

interface Settler {
  /** The value that a text leads to, which stands where a value begins; undefined while it may still become several. */
  settle(begun: string): string | undefined;
  /** A text of more characters leads nowhere. */
  readonly longest: number;
}

/** More digits than a number has whose value they are. */
const LONGEST_NUMBER = 64;

function settlerOf(question: Question): Settler {
  if (question.type === "score") return { settle: settleNumber, longest: LONGEST_NUMBER };
  if (question.type === "bool") return settleOne(["true", "false"].map((word) => ({ name: word, written: word })));
  return settleOne(
    question.choices.map((choice) => ({ name: choice, written: `${JSON.stringify(choice).slice(1, -1)}"` })),
  );
}

/** A number may go on for as long as nothing stands behind it. */
function settleNumber(begun: string): string | undefined {
  const [whole, number] = /^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)[\s,}]/.exec(begun) ?? [];
  return whole === undefined ? undefined : String(Number(number));
}

function settleOne(values: readonly { readonly name: string; readonly written: string }[]): Settler {
  return {
    longest: Math.max(...values.map(({ written }) => written.length)),
    settle(begun) {
      const left = values.filter(({ written }) =>
        begun.length < written.length ? written.startsWith(begun) : begun.startsWith(written),
      );
      return begun !== "" && left.length === 1 ? left[0]?.name : undefined;
    },
  };
}

/** The values that the tokens from a place on settle, each with how likely it was; undefined where they settle none. */
function follow(tokens: readonly AnswerToken[], start: number, settler: Settler): Map<string, number> | undefined {
  const { settle, longest } = settler;
  const found = new Map<string, number>();
  let begun = "";
  let logprob = 0;
  let place = 0;
  for (const { text, logprob: own, likely } of tokens) {
    const end = place + text.length;
    if (end > start) {
      const before = text.slice(0, Math.max(0, start - place));
      for (const other of likely) {
        if (other.text === text || !other.text.startsWith(before)) continue;
        add(found, settle(begun + other.text.slice(before.length)), logprob + other.logprob);
      }
      begun += text.slice(before.length);
      logprob += own;
      const settled = settle(begun);
      if (settled !== undefined) {
        add(found, settled, logprob);
        return found;
      }
      if (begun.length > longest) return undefined;
    }
    place = end;
  }
  return undefined;
}

/** Rounding must not make more than certainty of a sum. */
function add(found: Map<string, number>, name: string | undefined, logprob: number): void {
  if (name !== undefined) found.set(name, Math.min(1, (found.get(name) ?? 0) + Math.exp(logprob)));
}
