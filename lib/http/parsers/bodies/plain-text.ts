import * as v from 'valibot';

/** Text that people read: trimmed, of so many characters at most, and without what cannot be shown. */
export const plainText = (maxLength: number) =>
  v.pipe(
    v.string('It must be text.'),
    v.trim(),
    v.check(
      (text) => [...text].length <= maxLength,
      `It must have at most ${maxLength} characters.`,
    ),
    v.check(
      (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
      'It must not contain control characters or broken Unicode.',
    ),
  );
