import { DomainError } from '#lib/errors/domain-error.ts';

/** A zip that no system may unpack. Each problem is one that its sender can fix. */
export class UnsafeZipError extends DomainError {
  override readonly name = 'UnsafeZipError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}
