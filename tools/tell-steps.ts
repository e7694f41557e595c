/** The outcome of a step: a text for the operator and a value for later steps. */
export interface Outcome<Result> {
  readonly words: string;
  readonly result: Result;
}

/** Runs a step and prints its outcome. */
export type TakeStep = <Result>(
  name: string,
  work: () => Promise<Outcome<Result>>,
) => Promise<Result>;

/** A step failed, and its line was printed. */
export class StepFailedError extends Error {
  override readonly name = 'StepFailedError';
}

/** Prints a line per step with its time. The first failure ends the run. */
export function tellSteps(
  say: (line: string) => void,
  explain: (error: unknown) => string = String,
): TakeStep {
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
