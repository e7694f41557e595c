/** As Lambda tells a function how long it may go on. */
export interface CallContext {
  getRemainingTimeInMillis(): number;
}

/** As long as a function that calls an HPC system may run on AWS. */
const longestMs = 300_000;

/** For a function that is called here: when the service ends, it begins nothing more. */
export function makeCallContext(isEnding: () => boolean): CallContext {
  return { getRemainingTimeInMillis: () => (isEnding() ? 0 : longestMs) };
}
