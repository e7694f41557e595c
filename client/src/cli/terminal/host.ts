/** The surroundings of the command: a process, or a test's replacement for one. */
export interface Host {
  readonly out: Output;
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a line that a person types. Returns undefined if nobody is there, throws at Ctrl-C. */
  ask(question: string): Promise<string | undefined>;
  /** Opens a page in the browser of this machine, if there is one. */
  openPage(address: string): void | Promise<void>;
  /** Calls the listener at each Ctrl-C. */
  onInterrupt(listener: () => void): void;
}

export interface Output {
  write(text: string | Uint8Array): void;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export const processHost: Host = {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  async ask(question) {
    if (!process.stdin.isTTY) return undefined;
    const { createInterface } = await import('node:readline/promises');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new AbortController();
    let isInterrupted = false;
    lines.once('close', () => closed.abort());
    // While a line is read, Ctrl-C arrives as a key and not as a signal.
    lines.once('SIGINT', () => {
      isInterrupted = true;
      process.stderr.write('\n');
      lines.close();
      process.emit('SIGINT');
    });
    try {
      return await lines.question(question, { signal: closed.signal });
    } catch (error) {
      if (isInterrupted) throw error;
      return undefined;
    } finally {
      lines.close();
    }
  },
  openPage: openInBrowser,
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

/**
 * Runs the opener of the desktop without a shell, so nothing in the address is read as a command.
 * Over ssh the desktop is not the person's, and a failure does not matter: the address is printed.
 */
async function openInBrowser(address: string): Promise<void> {
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (SSH_CONNECTION !== undefined || !/^https?:/.test(address)) return;
  const desktop = DISPLAY || WAYLAND_DISPLAY;
  const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program, ...words] = openers[process.platform] ?? (desktop ? ['xdg-open'] : []);
  if (program === undefined) return;
  const { spawn } = await import('node:child_process');
  const child = spawn(program, [...words, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}
