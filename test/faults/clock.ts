/** A clock for everything in this process, which a scene moves instead of waiting. */
export interface Clock {
  /** Lets time pass, for dates and for durations. */
  pass(seconds: number): void;
  /** Sets the clock of the machine, which changes dates but no durations. */
  jump(seconds: number): void;
}

/** Replaces the clock of this process. Call it before modules are loaded that use `Date.now`. */
export function installClock(): Clock {
  const RealDate = Date;
  const readNow = Date.now;
  const readElapsed = performance.now.bind(performance);
  let passedMs = 0;
  let jumpedMs = 0;
  const now = (): number => readNow() + passedMs + jumpedMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  });
  RealDate.now = now;
  performance.now = () => readElapsed() + passedMs;
  return {
    pass(seconds) {
      passedMs += seconds * 1000;
    },
    jump(seconds) {
      jumpedMs += seconds * 1000;
    },
  };
}
