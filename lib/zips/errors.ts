import { Refusal } from '#lib/errors/domain-error.ts';

/** A zip that no system may unpack. Each problem is one that its sender can fix. */
export class UnsafeZipError extends Refusal {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const wrongParts = problems.map((message) => ({ message }));
    super('unsafe-zip', { message: problems.join(' '), wrongParts });
    this.problems = problems;
  }
}
