import { CannotDo, outcome } from '../outcome/outcome.ts';
import { askForJson, readTokenAnswer } from './ask-issuer.ts';
import type { LaptopSignIn, Token } from './profile.ts';

/** The laptop edition takes everybody's word for who they are. */
export async function signInOnLaptop(
  url: string,
  { user, administrator }: LaptopSignIn,
  now: number,
): Promise<Token> {
  const answer = await askForJson(`${url}/local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, administrator }),
  }).catch(() => {
    throw new CannotDo(`Nothing answers at ${url}.`, {
      outcome: outcome.unreachable,
      next: 'Start it in another terminal: npm start',
    });
  });
  const read = readTokenAnswer(answer, now);
  if ('token' in read) return read.token;
  throw new CannotDo(`What answers at ${url} is no laptop edition.`, {
    next: 'Sign in with its issuer: slipway login --url URL --issuer URL --client-id ID',
  });
}
