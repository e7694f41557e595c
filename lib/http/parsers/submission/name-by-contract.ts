import { contractNames } from '#client/src/jobs/contract-names.ts';

/**
 * Gives fields such as `nodes` the names of the contract (`node_number`), unless the system has a
 * field of its own by that name. Refuses both at once, because they could differ.
 */
export function nameByContract(sent: object, known: Readonly<Record<string, unknown>>) {
  const words = Object.entries(contractNames).filter(
    ([, word]) => Object.hasOwn(sent, word) && !Object.hasOwn(known, word),
  );
  const wordOf = new Map(words);
  const contractOf = new Map(words.map(([contract, word]) => [word, contract]));
  return {
    fields: Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [contractOf.get(name) ?? name, value]),
    ),
    twice: words
      .filter(([contract]) => Object.hasOwn(sent, contract))
      .map(([contract, word]) => ({
        name: word,
        message: `It says the same as ${contract}. Give one of them.`,
      })),
    /** What a problem is named by. */
    nameAsSent: (name: string) => (Object.hasOwn(sent, name) ? name : (wordOf.get(name) ?? name)),
  };
}
