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
