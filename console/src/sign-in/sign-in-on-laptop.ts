import { forgetStored, isRecord, readStored, store } from '../browser/stored.ts';
import { openService } from '../connection/open-service.ts';
import { type Session, session, tellSignedOut } from '../connection/session.ts';
import { keepTokens, type Tokens } from './keep-tokens.ts';
import { forgetKey, laptopKey } from './laptop-key.ts';
import { phrase } from './words.ts';

/** Signs in as any user, because the laptop edition trusts everybody who has its key. */
export async function signInOnLaptop(api: string, chosen: LaptopUser): Promise<void> {
  const ask = () => askForToken(api, chosen);
  const token = keepTokens(await ask(), ask);
  rememberUser(chosen);
  const opened: Session = {
    ...chosen,
    service: openService({ api, token }),
    api: api || location.origin,
    signOut() {
      forgetUser();
      session.value = undefined;
      tellSignedOut();
    },
    signInAgain() {
      void signInOnLaptop(api, chosen).catch(() => {
        session.value = undefined;
      });
    },
  };
  session.value = opened;
}

async function askForToken(api: string, chosen: LaptopUser): Promise<Tokens> {
  const response = await fetch(`${api}/local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'slipway-key': laptopKey.value ?? '' },
    body: JSON.stringify(chosen),
  });
  if (response.status === 401) {
    forgetKey();
    throw new Error(phrase('anotherKey'));
  }
  const answer: unknown = await response.json();
  const { access_token: token, expires_in: seconds, message } = isRecord(answer) ? answer : {};
  if (typeof token !== 'string') throw new Error(String(message ?? phrase('noToken')));
  return { token, endsAt: Date.now() + Number(seconds) * 1000 };
}

interface LaptopUser {
  readonly user: string;
  readonly administrator: boolean;
}

const key = 'slipway-laptop-user';

/**
 * Returns the user of this tab, or the user last chosen in this browser. Tokens are never stored,
 * so a reload asks for a new one.
 */
export function recallUser(): LaptopUser | undefined {
  const stored = readStored('tab', key) ?? readStored('browser', key);
  if (!isRecord(stored) || typeof stored.user !== 'string') return undefined;
  return { user: stored.user, administrator: stored.administrator === true };
}

function rememberUser(chosen: LaptopUser): void {
  store('tab', key, chosen);
  store('browser', key, chosen);
}

export function forgetUser(): void {
  forgetStored('tab', key);
  forgetStored('browser', key);
}
