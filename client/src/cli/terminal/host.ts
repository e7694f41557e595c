/** The surroundings of the command: a process, or a test's replacement for one. */
export interface Host {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a line that a person types. Returns undefined if nobody is there. */
  ask(question: string): Promise<string | undefined>;
  /** Calls the listener at each Ctrl-C. */
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
    // Ctrl-C at a question means no.
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
      // A second Ctrl-C leaves at once, without any advice.
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
