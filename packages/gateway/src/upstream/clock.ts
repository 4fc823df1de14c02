/** What a clock looks at when it ticks. */
export interface Ticking {
  /** Where it stands among what the clock looks at; the clock's own. */
  position: number;
  onTick(tick: number): void;
}

/**
 * One timer for all that waits. Most of what a gateway waits for comes in a fraction of its time limit, so a timer for each would be made
 * and thrown away thousands of times for one that fires; limits of minutes can be off by a tick.
 */
export interface Clock {
  /** How often it has ticked. It stands still while it looks at nothing. */
  readonly tick: number;
  watch(ticking: Ticking): void;
  forget(ticking: Ticking): void;
  /** The ticks after which a time has surely passed. */
  ticks(milliseconds: number): number;
}

/** `precision`: milliseconds from one tick to the next. */
export function createClock(precision: number): Clock {
  const watched: Ticking[] = [];
  let timer: NodeJS.Timeout | undefined;
  const clock = {
    tick: 0,
    watch(ticking: Ticking): void {
      ticking.position = watched.length;
      watched.push(ticking);
      timer ??= setInterval(onInterval, precision).unref();
    },
    forget(ticking: Ticking): void {
      const last = watched.pop();
      if (last === undefined || last === ticking) return;
      watched[ticking.position] = last;
      last.position = ticking.position;
    },
    ticks: (milliseconds: number): number => Math.ceil(milliseconds / precision) + 1,
  };
  const onInterval = (): void => {
    clock.tick++;
    // From the end, because whoever has waited too long is forgotten, and the last one takes its place.
    for (let index = watched.length - 1; index >= 0; index--) watched[index]?.onTick(clock.tick);
    if (watched.length > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
  return clock;
}
