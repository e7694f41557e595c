declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/**
 * A float as the interface shows it: 2 hours are `2.0`, and not `2`, which clients in languages
 * with two kinds of numbers would read as an integer.
 */
export function float(value: number): object {
  return JSON.rawJSON(Number.isInteger(value) ? value.toFixed(1) : JSON.stringify(value));
}
