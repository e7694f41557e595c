import * as v from 'valibot';
import { dishonest, isHonest } from '../honest-text.ts';

/** Text that people read: trimmed, of so many characters at most, and without what cannot be shown. */
export const plainText = (maxLength: number) =>
  v.pipe(
    v.string('It must be text.'),
    v.trim(),
    v.check(
      (text) => [...text].length <= maxLength,
      `It must have at most ${maxLength} characters.`,
    ),
    v.check((text) => isHonest(text) && !/\p{Cc}/u.test(text), dishonest),
  );
