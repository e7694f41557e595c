export interface StoppedClock {
  /** Never back: what is stored would lie in the future. */
  goTo(moment: number): void;
}

/** The clock of this process stands still until it is set: what happens has the same moments each time. */
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
