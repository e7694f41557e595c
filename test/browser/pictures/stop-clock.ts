export interface StoppedClock {
  /** Moves the clock forward. Back would put stored items into the future. */
  goTo(moment: number): void;
}

/** Stops the clock of this process, so that everything happens at the same time in each run. */
export function stopClock(first: Date): StoppedClock {
  let now = first.getTime();
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, asked) =>
      Reflect.construct(target, given.length === 0 ? [now] : given, asked),
    get: (target, name, receiver) =>
      name === 'now' ? () => now : Reflect.get(target, name, receiver),
  });
  return {
    goTo(moment) {
      now = Math.max(now, moment);
    },
  };
}
