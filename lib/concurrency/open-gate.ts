export interface GateLimits {
  readonly width: number;
  readonly waiting: number;
}

/** Runs `width` tasks at a time, lets others wait in order, and refuses the rest. */
export function openGate({ width, waiting }: GateLimits, refuse: () => Error) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < width) running += 1;
    else if (queue.length >= waiting) throw refuse();
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      // Passes the slot to the next in line, so a newcomer cannot take it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
