type Cell = string | number | null;

/** RFC 4180: a line of names, lines that end in CRLF, and nothing for what is null. */
export function writeCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

/**
 * A spreadsheet takes a text that begins like a formula for one. Names cannot begin so today; the
 * apostrophe is for whatever is shown here tomorrow.
 */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
