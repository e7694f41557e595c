/** One word for the shell, whatever is in it: between single quotes nothing is special but the quote. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
