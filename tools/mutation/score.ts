import type { Mutant } from './run-stryker.ts';

export interface Score {
  /** Noticed: a test failed, or did not come to its end. */
  readonly killed: number;
  /** Met by tests that all passed, or by none. */
  readonly survivors: readonly Mutant[];
  readonly percent: number;
  /** Texts, and what is evaluated while a module is loaded. */
  readonly leftOut: number;
}

export function scoreMutants(mutants: readonly Mutant[]): Score {
  const judged = mutants.filter((mutant) => !isOnlyLoaded(mutant));
  const having = (...statuses: Mutant['status'][]) =>
    judged.filter(({ status }) => statuses.includes(status));
  const killed = having('Killed', 'Timeout').length;
  const survivors = having('Survived', 'NoCoverage');
  const counted = killed + survivors.length;
  return {
    killed,
    survivors,
    percent: counted === 0 ? 100 : (100 * killed) / counted,
    leftOut: mutants.length - counted,
  };
}

/** Evaluated while a module is loaded, and in no test but those that load modules themselves. */
function isOnlyLoaded({ static: loaded, coveredBy = [] }: Mutant): boolean {
  return loaded === true && coveredBy.every((test) => test.startsWith('test/handlers/apart/'));
}
