import * as v from 'valibot';

/** Reports only the first problem of a field. */
export const firstProblem = { abortPipeEarly: true } as const;

export const wholeNumber = (max: number) => {
  const message = `It must be a whole number from 1 to ${max}.`;
  return v.config(
    v.pipe(
      numberLike(/^[0-9]{1,15}$/, message),
      v.integer(message),
      v.minValue(1, message),
      v.maxValue(max, message),
    ),
    firstProblem,
  );
};

/** Accepts numbers as text, as the interface shows them, and as JSON numbers. */
export function numberLike(form: RegExp, message: string) {
  return v.pipe(
    v.unknown(),
    v.transform((value) =>
      typeof value === 'string' && form.test(value.trim()) ? Number(value) : value,
    ),
    v.number(message),
  );
}
