/**
 * Writes CSV (RFC 4180). Nested fields get their own columns (`usage.time.left`). Text that a
 * spreadsheet would run as a formula is escaped.
 */
export function writeCsv(rows: readonly object[]): string {
  const cells = rows.map((row) => new Map(flatten(row)));
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  const lines = [names, ...cells.map((row) => names.map((name) => row.get(name)))];
  return lines.map((line) => `${line.map(writeCell).join(',')}\r\n`).join('');
}

function flatten(value: object, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? flatten(each, `${prefix}${name}.`)
      : [[`${prefix}${name}`, each]],
  );
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value) ? writeList(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function writeList(list: readonly unknown[]): string {
  return list.every((each) => typeof each === 'string') ? list.join(' ') : JSON.stringify(list);
}
