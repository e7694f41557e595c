/** The line where somebody who looks for what went wrong begins to read; -1 where there is none. */
export function findFirstError(text: string): number {
  return text
    .split('\n')
    .findIndex((line) =>
      /\b(error|exception|traceback|fatal|killed|segmentation fault)\b/i.test(line),
    );
}
