/** For what a function never comes to: where it does after all, a test or an alarm must hear of it. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError';
  constructor(part: string) {
    super(`${part} is left out of the bundles: see infra/constructs/functions/stand-ins.ts.`);
  }
}
