/** A person does not see it sooner, and a busy service writes once where it would have written fifty times. */
const gatheredMs = 30;

export interface Lines {
  write(text: string): void;
  /** Now, for whoever ends. */
  flush(): void;
}

/** Writes lines together that come close together. */
export function gatherLines(print: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') print(waiting);
    waiting = '';
  };
  return {
    write(text) {
      waiting += text;
      timer ??= setTimeout(flush, gatheredMs);
    },
    flush,
  };
}
