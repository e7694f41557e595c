/** What the command runs on: a process, or what a test puts in its place. */
export interface Host {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line that a person types; nothing where nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** Told of every Ctrl-C. */
  onInterrupt(listener: () => void): void;
}

export interface Output {
  write(text: string | Uint8Array): void;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

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
