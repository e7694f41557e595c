/** `YYYY-MM-DDThh:mm:ssZ` (interface 2.2). */
export function timestamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
