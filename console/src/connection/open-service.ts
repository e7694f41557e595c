import { createClient, type Slipway } from '#client/src/index.ts';
import { rememberAnswers } from './remember-answers.ts';

export interface Connection {
  readonly api: string;
  /** The token, or a fresh one where it is about to end. */
  readonly token: () => Promise<string>;
}

/** A person waits: what fails is told, with a button to try again, and not tried for a minute. */
const retries = 2;

export function openService({ api, token }: Connection): Slipway {
  const ask = rememberAnswers((input, init) => fetch(input, init));
  return createClient({ baseUrl: api, token, retries, fetch: ask });
}
