import { forgetStored, isRecord, readStored, store } from '../browser/stored.ts';
import { openService } from '../connection/open-service.ts';
import { type Session, session } from '../connection/session.ts';
import { keepTokens, type Tokens } from './keep-tokens.ts';

/** Whoever reaches a laptop edition may be anybody. */
export async function signInOnLaptop(api: string, chosen: LaptopUser): Promise<void> {
  const ask = () => askForToken(api, chosen);
  const token = keepTokens(await ask(), ask);
  rememberUser(chosen);
  const opened: Session = {
    ...chosen,
    service: openService({ api, token }),
    signOut() {
      forgetUser();
      session.value = undefined;
    },
  };
  session.value = opened;
}

async function askForToken(api: string, chosen: LaptopUser): Promise<Tokens> {
  const response = await fetch(`${api}/local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chosen),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return { token: answer.access_token, endsAt: Date.now() + answer.expires_in * 1000 };
}

/** Whom somebody chose to be on a laptop. */
interface LaptopUser {
  readonly user: string;
  readonly administrator: boolean;
}

const key = 'slipway-laptop-user';

/** Only who it is, never a token: a reload asks for a new one. A new tab begins as the last choice. */
export function recallUser(): LaptopUser | undefined {
  const stored = readStored('tab', key) ?? readStored('browser', key);
  if (!isRecord(stored) || typeof stored.user !== 'string') return undefined;
  return { user: stored.user, administrator: stored.administrator === true };
}

function rememberUser(chosen: LaptopUser): void {
  store('tab', key, chosen);
  store('browser', key, chosen);
}

function forgetUser(): void {
  forgetStored('tab', key);
  forgetStored('browser', key);
}
