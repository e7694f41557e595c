import type { Caller } from './callers.ts';
import { callerNames, callers } from './callers.ts';
import { expectedAnswers } from './expected.ts';
import type { Row } from './rows.ts';
import type { Answered } from './world.ts';

/** Returns the answer that a caller must get, or undefined if it is not said. */
export function expectedFor(row: Row, caller: Caller): string | undefined {
  const answers = Object.entries(expectedAnswers[row.id] ?? {});
  return answers.find(([, names]) => names.split(' ').includes(caller))?.[0];
}

/** Returns what the expectations leave out, or name twice or in vain. */
export function findGaps(rows: readonly Row[], expected = expectedAnswers): string[] {
  const ids = rows.map(({ id }) => id);
  const inVain = Object.keys(expected).filter((id) => !ids.includes(id));
  return [
    ...inVain.map((id) => `${id} is no route.`),
    ...ids.flatMap((id) => {
      const named = Object.values(expected[id] ?? {}).flatMap((names) => names.split(' '));
      const missing = callerNames.filter((caller) => !named.includes(caller));
      const twice = named.filter((name, at) => named.indexOf(name) !== at);
      const unknown = named.filter((name) => !(name in callers));
      return [
        ...missing.map((caller) => `${id} does not say what ${caller} gets.`),
        ...twice.map((caller) => `${id} says twice what ${caller} gets.`),
        ...unknown.map((caller) => `${id} names ${caller}, who is no caller.`),
      ];
    }),
  ];
}

/** Returns what is wrong with the answer of a cell. */
export function findWrong(expected: string | undefined, answered: Answered): string[] {
  const { outcome, undeclared, written, commands } = answered;
  if (outcome !== expected) return [`${outcome} in place of ${expected}`];
  const isRefused = Number(outcome.slice(0, 3)) >= 400;
  // The number of a job is taken before the transaction that may fail, and then stays unused.
  const wrote = written.filter((key) => !/^COUNTER#/.test(key));
  const isEarly = /^(401|405) |not-administrator|path-not-found/.test(outcome);
  const read = isEarly ? commands.filter((command) => !asksForLead(command)) : [];
  return [
    ...undeclared,
    ...(isRefused && wrote.length > 0 ? [`wrote ${wrote.join(', ')}`] : []),
    ...(read.length > 0 ? [`asked the table for ${JSON.stringify(read)}`] : []),
  ];
}

/** Whether the caller leads the project, and which project a request for more is about. */
function asksForLead([command, input]: readonly [string, unknown]): boolean {
  return command === 'GetCommand' && /"SK":"(LEADS#|ASKED#)/.test(JSON.stringify(input));
}

/** Callers who may see nothing of the user whose things the paths name. */
const outsiders: readonly Caller[] = ['other', 'otherLeader', 'banned', 'expired'];

export function findShown(caller: Caller, { outcome, body }: Answered): string[] {
  if (!outsiders.includes(caller) || !outcome.startsWith('2')) return [];
  const shown = new RegExp(`"(owner|user)":"${callers.user}"`).exec(body);
  return shown ? [`shows ${shown[0]}`] : [];
}
