/** What is done at the end of a turn of the event loop. */
export interface Deferred {
  /** Must not throw. */
  run(): void;
}

let waiting: Deferred[] = [];
let spare: Deferred[] = [];

/**
 * Runs `deferred` at the end of this turn of the event loop, after all that its poll brought, and in the order of the calls; what is deferred by
 * then runs in the same turn. Work of one kind that is done in a row finds its code in the caches of the processor, and of writes that follow each
 * other closely only the first has to wake the process on the other side, which costs more than a conversion. The end of a turn comes before
 * anything is waited for: nobody's answer is held up by more than the work that is ready.
 */
export function atEndOfTurn(deferred: Deferred): void {
  if (waiting.length === 0) setImmediate(runAll);
  waiting.push(deferred);
}

function runAll(): void {
  const list = waiting;
  let index = 0;
  try {
    while (index < list.length) (list[index++] as Deferred).run();
  } finally {
    waiting = spare;
    spare = list;
    // One that throws must not take the others with it.
    for (const left of list.splice(index)) atEndOfTurn(left);
    list.length = 0;
  }
}
