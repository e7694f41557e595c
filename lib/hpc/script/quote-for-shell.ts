/** Quotes text as one word for the shell. Between single quotes only the quote itself is special. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
