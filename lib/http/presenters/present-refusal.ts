import type { DomainError } from '#lib/errors/domain-error.ts';
import { explainError, problemType } from '../problems.ts';

/** Of one row of many: the problem that it would have met alone. */
export function presentRefusal(error: DomainError) {
  const { name, title, detail, members } = explainError(error);
  return { type: problemType(name), title, detail, ...members };
}
