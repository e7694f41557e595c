export interface FirstError {
  /** Counted from 1, as people count lines. */
  readonly line: number;
  /** Where the line begins in the text, and how long it is. */
  readonly at: number;
  readonly length: number;
}

/** The line where somebody who looks for what went wrong begins to read. */
export function findFirstError(text: string): FirstError | undefined {
  let at = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (/\b(error|exception|traceback|fatal|killed|segmentation fault)\b/i.test(line)) {
      return { line: index + 1, at, length: line.length };
    }
    at += line.length + 1;
  }
  return undefined;
}
