declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/**
 * Writes a float as the interface shows it: 2 hours are `2.0`. Clients in languages with integers
 * would read `2` as an integer.
 */
export function float(value: number): object {
  return JSON.rawJSON(Number.isInteger(value) ? value.toFixed(1) : JSON.stringify(value));
}

/** `YYYY-MM-DDThh:mm:ssZ` (interface 2.2). */
export function timestamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
