const pauseMs = 5000;

/**
 * Says how far a long load has come and how long it will still take, every few seconds: on a
 * terminal and in a log alike. A short load says nothing.
 */
export function createProgressLine(what: string, stream: NodeJS.WritableStream = process.stderr) {
  const began = performance.now();
  let saidAt = began;
  return {
    update(share: number): void {
      const now = performance.now();
      if (share >= 1 || now - saidAt < pauseMs) return;
      saidAt = now;
      const secondsLeft = ((now - began) / 1000) * (1 / share - 1);
      const percent = Math.floor(share * 100);
      stream.write(`${what}: ${percent} % loaded, ${Math.ceil(secondsLeft)} s to go\n`);
    },
  };
}
