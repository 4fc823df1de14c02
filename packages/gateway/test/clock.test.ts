import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Clock, Ticking } from "../src/upstream/clock.ts";
import { createClock } from "../src/upstream/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits so many milliseconds, then forgets itself and is noted. */
function waiter(name: string, milliseconds: number, clock: Clock, over: string[]): Ticking {
  const deadline = clock.tick + clock.ticks(milliseconds);
  const waiting: Ticking = {
    position: 0,
    onTick(tick) {
      if (tick < deadline) return;
      clock.forget(waiting);
      over.push(name);
    },
  };
  clock.watch(waiting);
  return waiting;
}

test("tells those whose time has passed, whoever else is forgotten meanwhile", () => {
  const clock = createClock(10);
  const over: string[] = [];
  waiter("a", 50, clock, over);
  const b = waiter("b", 50, clock, over);
  waiter("c", 100, clock, over);
  waiter("d", 50, clock, over);
  clock.forget(b);
  vi.advanceTimersByTime(49);
  expect(over).toEqual([]);
  vi.advanceTimersByTime(21);
  expect(over.sort()).toEqual(["a", "d"]);
  vi.advanceTimersByTime(50);
  expect(over).toEqual(["a", "d", "c"]);
});

test("never before its time, also between two ticks", () => {
  const clock = createClock(10);
  const over: string[] = [];
  waiter("first", 1000, clock, over);
  vi.advanceTimersByTime(9);
  waiter("second", 20, clock, over);
  vi.advanceTimersByTime(19);
  expect(over).toEqual([]);
  vi.advanceTimersByTime(22);
  expect(over).toEqual(["second"]);
});

test("stands still while nobody waits", () => {
  const clock = createClock(10);
  const over: string[] = [];
  waiter("a", 20, clock, over);
  vi.advanceTimersByTime(100);
  expect(over).toEqual(["a"]);
  expect(vi.getTimerCount()).toBe(0);
  waiter("b", 20, clock, over);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(over).toEqual(["a", "b"]);
});
