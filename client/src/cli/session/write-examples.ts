/** An example for each command: it is what people read first. */
export function writeExamples(...lines: readonly string[]): string {
  const head = lines.length === 1 ? 'Example' : 'Examples';
  return `\n${head}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
