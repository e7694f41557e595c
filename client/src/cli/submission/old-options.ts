import type { Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** Old options of `slipway submit`, and those in their place. They work until that version. */
export const oldOptions = { time: 'runtime' } as const;
const lastVersion = '0.5.0';

interface Typed {
  readonly runtime?: number | undefined;
  readonly time?: number | undefined;
}

/** Returns the old name of an option, if it has one. */
export function oldNameOf(name: string): string {
  return Object.entries(oldOptions).find(([, present]) => present === name)?.[0] ?? name;
}

/** Gives old options their present names, and warns of them. */
export function renameOld<Options extends Typed>(
  { screen }: Session,
  { time, ...options }: Options,
): Omit<Options, 'time'> {
  if (time === undefined) return options;
  const names = { old: '--time', name: '--runtime', version: lastVersion };
  if (options.runtime !== undefined) {
    throw new CannotDo(phrase('session.oldAndNewOption', names), { outcome: outcome.usage });
  }
  screen.tell(phrase('session.oldOption', names));
  return { ...options, runtime: time };
}
