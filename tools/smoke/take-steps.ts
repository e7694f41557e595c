import { SlipwayProblem } from '#client/src/node/index.ts';

/** What came of a step: in words, and for the steps after it. */
export interface Outcome<Result> {
  readonly words: string;
  readonly result: Result;
}

/** Does one thing, and tells what came of it. */
export type TakeStep = <Result>(
  name: string,
  work: () => Promise<Outcome<Result>>,
) => Promise<Result>;

/** A step has failed, and has been told of. */
export class StepFailedError extends Error {
  override readonly name = 'StepFailedError';
}

/** A line for each step, with its time; the first one that fails is the last. */
export function tellSteps(say: (line: string) => void): TakeStep {
  return async (name, work) => {
    const began = performance.now();
    const tell = (outcome: string, words: string) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      say(`${outcome.padEnd(6)}  ${name.padEnd(16)} ${seconds.padStart(5)} s  ${words}`);
    };
    try {
      const { words, result } = await work();
      tell('ok', words);
      return result;
    } catch (error) {
      tell('failed', explain(error));
      throw new StepFailedError(name, { cause: error });
    }
  };
}

/** With the id of the request, by which an operator finds it in the log. */
function explain(error: unknown): string {
  if (error instanceof SlipwayProblem) {
    const { status, instance } = error.problem;
    return `${status}: ${error.message}${instance === undefined ? '' : ` (request ${instance})`}`;
  }
  return error instanceof Error ? error.message : String(error);
}
