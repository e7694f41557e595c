/** `2026-11-15 10:06 UTC` sorts, and everybody reads it the same way. */
export function writeMoment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
