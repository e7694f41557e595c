/** Words of Python that a field or parameter may be called in JSON. */
const keywords = new Set(['class', 'from', 'import', 'in', 'is', 'not', 'or', 'and', 'global']);

/** Writes a name as Python allows it: `class` becomes `class_`. */
export function writePythonName(name: string): string {
  const snake = writeSnake(name);
  return keywords.has(snake) ? `${snake}_` : snake;
}

/** Writes `listJobs` and `content-length` as `list_jobs` and `content_length`. */
export function writeSnake(name: string): string {
  return name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter, at: number) => {
    return at === 0 ? letter.toLowerCase() : `_${letter.toLowerCase()}`;
  });
}

/** Writes `quota-exceeded` as `QuotaExceeded`. */
export function writeClassName(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
