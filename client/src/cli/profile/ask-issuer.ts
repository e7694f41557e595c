import * as v from 'valibot';
import { CannotDo, outcome } from '../outcome/outcome.ts';
import type { Token } from './profile.ts';

const TokenAnswer = v.object({
  access_token: v.string(),
  refresh_token: v.exactOptional(v.string()),
  expires_in: v.exactOptional(v.number()),
});

const Refusal = v.object({ error: v.string(), error_description: v.exactOptional(v.string()) });

export type IssuerAnswer =
  | { readonly token: Token }
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

export async function askForJson(address: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const answer = await fetch(address, init);
    return JSON.parse(await answer.text());
  } catch (error) {
    throw new CannotDo(`${new URL(address).origin} did not answer as expected.`, {
      outcome: outcome.unreachable,
      next: error instanceof Error ? error.message : String(error),
    });
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
    };
  }
  const refused = v.safeParse(Refusal, answer);
  if (!refused.success) return { error: 'unknown', words: 'The answer was no token.' };
  const { error, error_description: words = error } = refused.output;
  return { error, words };
}
