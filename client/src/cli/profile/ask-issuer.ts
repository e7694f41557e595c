import * as v from 'valibot';
import { limitCall, readText } from '../../calls/limits.ts';
import { CannotDo, outcome } from '../outcome/outcome.ts';
import type { Token } from './profile.ts';
import { requireSafeAddress } from './require-safe-address.ts';

const TokenAnswer = v.object({
  access_token: v.string(),
  id_token: v.exactOptional(v.string()),
  refresh_token: v.exactOptional(v.string()),
  expires_in: v.exactOptional(v.number()),
});

const Refusal = v.object({ error: v.string(), error_description: v.exactOptional(v.string()) });

export type IssuerAnswer =
  | { readonly token: Token; readonly idToken: string | undefined }
  | { readonly error: string; readonly words: string };

/** A form to an endpoint of the issuer (RFC 6749). */
export async function askIssuer(
  endpoint: string,
  form: Readonly<Record<string, string>>,
): Promise<unknown> {
  return askForJson(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  });
}

const answerMs = 30_000;
const maxAnswerBytes = 1_000_000;

/** Codes and tokens are in what is sent, so it goes to this address and nowhere else. */
export async function askForJson(address: string, init: RequestInit = {}): Promise<unknown> {
  requireSafeAddress(address);
  const limit = limitCall(answerMs, init.signal);
  try {
    const answer = await fetch(address, { ...init, redirect: 'error', signal: limit.signal });
    return JSON.parse(await readText(answer, { maxAnswerBytes }));
  } catch (error) {
    throw new CannotDo(`${new URL(address).origin} did not answer as expected.`, {
      outcome: outcome.unreachable,
      next: error instanceof Error ? error.message : String(error),
    });
  } finally {
    limit.end();
  }
}

export function readTokenAnswer(answer: unknown, now: number): IssuerAnswer {
  const granted = v.safeParse(TokenAnswer, answer);
  if (granted.success) {
    const { access_token: access, refresh_token: refresh, expires_in: seconds } = granted.output;
    return {
      token: {
        access,
        ...(refresh !== undefined && { refresh }),
        ...(seconds !== undefined && { expires: now + seconds * 1000 }),
      },
      idToken: granted.output.id_token,
    };
  }
  const refused = v.safeParse(Refusal, answer);
  if (!refused.success) return { error: 'unknown', words: 'The answer was no token.' };
  const { error, error_description: words = error } = refused.output;
  return { error, words };
}
