import { scriptExits } from './script-terms.ts';

export const timeOver = 'The job reached its time limit.';

const faultsOfScript: ReadonlyMap<number, string> = new Map([
  [scriptExits.noDirectory, "the job's directory could not be created"],
  [scriptExits.inputNotFetched, 'the input could not be fetched'],
  [scriptExits.addressNotFetched, 'an input could not be fetched; stderr says which one, and why'],
  [scriptExits.outputNotSent, 'an output could not be sent; stderr says which one, and why'],
  [scriptExits.noRoom, 'the folder of its project is full; stderr says how full'],
  [
    scriptExits.noProjectFolder,
    'the folder of its project is not there, or its account cannot write it',
  ],
  [scriptExits.inputNotUnpacked, 'the input could not be unpacked'],
  [scriptExits.resultsNotSent, 'the results could not be sent'],
  [scriptExits.resultsTooLarge, 'the results are too large to be sent'],
]);

/** Tells where a script says why it has no image. */
export function explainImage(code: number | undefined) {
  return code === scriptExits.imageNotFetched && { lacksImage: 'The end of stderr says why.' };
}

/** Explains the exit code of a script to the owner of its job. It is mostly that of the command. */
export function explainExit(code: number): string {
  if (code === scriptExits.timeLimit) return timeOver;
  const fault = faultsOfScript.get(code);
  if (fault !== undefined) return `The job ended with exit code ${code}: ${fault}.`;
  return code > 0 ? explainCommand(code) : 'The job failed.';
}

/** Explains the exit code of a command alone. The shell has two for those that it cannot run. */
export function explainCommand(code: number): string {
  switch (code) {
    case 126:
      return 'The command cannot be executed: exit code 126. The end of stderr says why.';
    case 127:
      return 'The command was not found: exit code 127. The end of stderr says which one.';
    default:
      return `The command ended with exit code ${code}.`;
  }
}
