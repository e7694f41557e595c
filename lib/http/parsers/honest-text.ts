/**
 * Marks that turn the direction of writing over a stretch of text (UAX 9: embeddings, overrides,
 * isolates): with them a title or a file name reads as another. Single marks (U+200E, U+200F) are
 * fine, which keyboards for Arabic and Hebrew type.
 */
const turns = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether text shows what it says: neither broken nor turned around. */
export function isHonest(text: string): boolean {
  return text.isWellFormed() && !turns.test(text);
}

export const dishonest =
  'It must not contain control characters, marks that turn the direction of writing, or broken Unicode.';
