import type { Host } from './host.ts';

export const processHost: Host = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  async ask(question) {
    if (!process.stdin.isTTY) return undefined;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Whoever presses Ctrl-C at a question means no.
    lines.once('SIGINT', () => lines.close());
    try {
      return await lines.question(question, { signal: whenClosed(lines) });
    } catch {
      return undefined;
    } finally {
      lines.close();
    }
  },
  onInterrupt: (listener) => {
    let pressed = 0;
    process.on('SIGINT', () => {
      pressed += 1;
      // Whoever presses it twice does not want to be told what else there is to do.
      if (pressed > 1) process.exit(130);
      listener();
    });
  },
};

function whenClosed(lines: { once(event: 'close', listener: () => void): unknown }): AbortSignal {
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  return closed.signal;
}
