/**
 * Titles, reasons and names come from others: what a terminal takes for an order (escape sequences,
 * line breaks, marks that turn the direction of writing) is shown and not obeyed.
 */
export function cleanText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
