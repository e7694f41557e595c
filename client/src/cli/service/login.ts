import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { given } from '../../calls/given.ts';
import { joinWords } from '../../format/sentences/join-words.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import type { FoundSignIn } from '../sign-in/find-sign-in.ts';
import {
  type IssuerSignIn,
  type LaptopSignIn,
  openConfigFile,
  type Profile,
  requireSafeAddress,
} from '../sign-in/profile.ts';
import type { Prompt } from '../sign-in/sign-in.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

const laptop = 'http://localhost:3000';
const demoUser = '306328';
const demoAdministrator = '100001';
const usualScope = 'openid offline_access';

interface Wishes {
  readonly local?: true | undefined;
  readonly user?: string | undefined;
  readonly admin?: true | undefined;
  readonly keyFile?: string | undefined;
  readonly url?: string | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
  readonly withToken?: true | undefined;
}

export function createLogin(open: Open) {
  return createCommand('login', phrase('service.signInAndStore'))
    .examples(
      'slipway login --local',
      'slipway login --local --admin --profile admin',
      'slipway login --url https://jobs.example.org',
    )
    .option('--local', phrase('service.useTheLaptopEdition', { laptop }))
    .option('--user <id>', phrase('service.userNumber', { demoUser }))
    .option('--admin', phrase('service.signInAsAnAdministrator'))
    .option('--key-file <file>', phrase('service.keyOfTheLaptopEdition'))
    .option('--url <url>', phrase('service.addressOfTheService'))
    .option('--issuer <url>', phrase('service.openIDConnectIssuer'))
    .option('--client-id <id>', phrase('service.thisCommandAtTheIssuer'))
    .option('--scope <scopes>', phrase('service.scopesToRequest'))
    .option('--audience <audience>', phrase('service.audienceIfTheIssuerNeeds'))
    .option('--with-token', phrase('service.readATokenFromStandard'))
    .action(async (options, command) => {
      const session = open(command);
      const file = openConfigFile(session.host);
      const profile = await signIn(session, options, file.read(session.profile));
      file.write(session.profile, profile);
      const { signIn: how, url } = profile;
      session.screen.say(describeSignIn(url, how));
      session.screen.tell(phrase('service.keptIn', { path: file.path }));
    });
}

function describeSignIn(url: string, how: Profile['signIn']): string {
  if (how.kind !== 'laptop') return phrase('service.signedInAt', { url });
  return how.administrator
    ? phrase('service.signedInAsAdministrator', { url, user: how.user })
    : phrase('service.signedInAs', { url, user: how.user });
}

async function signIn(session: Session, wishes: Wishes, known?: Profile): Promise<Profile> {
  const url = (wishes.url ?? (wishes.local ? await findLaptop(wishes) : known?.url))?.replace(
    /\/$/,
    '',
  );
  if (url === undefined) {
    throw new CannotDo(phrase('service.theAddressOfTheService'), {
      next: phrase('service.slipwayLoginUrlUrl'),
    });
  }
  requireSafeAddress(url);
  if (wishes.withToken) {
    return { url, signIn: { kind: 'token' }, token: { access: await readToken(session) } };
  }
  const how = await chooseWay(url, wishes, known);
  if (how.kind === 'laptop') return signInAtLaptop(url, how, wishes.keyFile);
  const { signInAtIssuer } = await import('../sign-in/sign-in.ts');
  const token = await signInAtIssuer(how, {
    show: (prompt) => showPrompt(session, prompt),
    pause: (seconds) => pause(seconds * 1000, undefined, { signal: session.interrupt }),
    now: Date.now,
    interrupt: session.interrupt,
  });
  return { url, signIn: how, token };
}

/** Returns the address of the laptop edition that runs, or its usual one. */
async function findLaptop({ keyFile }: Wishes): Promise<string> {
  const { findKeyFile, findRunning } = await import('../sign-in/sign-in-on-laptop.ts');
  const running = findRunning(keyFile === undefined ? findKeyFile() : resolve(keyFile));
  const [only = laptop, ...others] = running;
  if (others.length === 0 || running.includes(laptop)) return others.length === 0 ? only : laptop;
  throw new CannotDo(phrase('service.severalRun', { urls: joinWords(running) }), {
    next: phrase('service.chooseOneByAddress', { url: only }),
  });
}

/** Always prints the address. A browser that returns to this machine is opened here, too. */
function showPrompt({ host, screen }: Session, { address, code, port }: Prompt): void {
  if (port === undefined) {
    screen.tell(
      phrase('service.openAddress', { address }),
      phrase('service.andCheckThatItShows', { code: code ?? '' }),
    );
    return;
  }
  const forward =
    host.environment.SSH_CONNECTION === undefined
      ? []
      : [phrase('service.yourBrowserRunsElsewhere', { port })];
  screen.tell(phrase('service.signInWithABrowser'), address, ...forward);
  if (screen.isLive) void host.openPage(address);
}

async function signInAtLaptop(url: string, how: LaptopSignIn, named?: string): Promise<Profile> {
  const { findKeyFile, signInOnLaptop } = await import('../sign-in/sign-in-on-laptop.ts');
  const keyFile = named === undefined ? (how.keyFile ?? findKeyFile()) : resolve(named);
  const signIn = { ...how, ...(keyFile !== undefined && { keyFile }) };
  return { url, signIn, token: await signInOnLaptop(url, signIn, Date.now()) };
}

/**
 * Chooses how to sign in. Options win over what the service says, and that over the last sign-in
 * there.
 */
async function chooseWay(
  url: string,
  wishes: Wishes,
  known: Profile | undefined,
): Promise<LaptopSignIn | IssuerSignIn> {
  if (wishes.local) {
    const administrator = wishes.admin === true;
    const user = wishes.user ?? (administrator ? demoAdministrator : demoUser);
    return { kind: 'laptop', user, administrator };
  }
  const before = known?.url === url ? known.signIn : undefined;
  if (before?.kind === 'laptop' && wishes.issuer === undefined) return before;
  const earlier = before?.kind === 'device' ? before : {};
  const isWhole = wishes.issuer !== undefined && wishes.clientId !== undefined;
  const { findSignIn } = await import('../sign-in/find-sign-in.ts');
  const found = isWhole ? {} : await findSignIn(url);
  const way = joinWays(wishes, found, earlier);
  const { issuer, clientId, scope = usualScope, audience, token, redirectHost } = way;
  if (issuer === undefined) {
    throw new CannotDo(phrase('service.doesNotSayWhere', { url }), {
      next: phrase('service.nameItsIssuer', { url }),
    });
  }
  if (clientId === undefined) {
    throw new CannotDo(phrase('service.doesNotSayByWhich', { url }), {
      next: phrase('service.askThePeopleWhoRun', { url }),
    });
  }
  const more = given({ audience, token, redirectHost });
  return { kind: 'device', issuer, clientId, scope, ...more };
}

/** Takes each part from the first that has it. Parts of another issuer are left out. */
function joinWays(wishes: Wishes, ...others: readonly FoundSignIn[]): FoundSignIn {
  return others.reduce<FoundSignIn>((way, { issuer, ...other }) => {
    if (way.issuer !== undefined && way.issuer !== issuer) return way;
    return { ...other, ...given(way), issuer };
  }, wishes);
}

async function readToken({ interrupt, screen }: Session): Promise<string> {
  if (process.stdin.isTTY) screen.tell(phrase('service.pasteTheToken'));
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(interrupt, process.stdin))
    chunks.push(Buffer.from(chunk));
  const token = Buffer.concat(chunks).toString('utf8').trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token;
  throw new CannotDo(phrase('service.standardInputIsNot'));
}

export function createLogout(open: Open) {
  return createCommand('logout', phrase('service.signOutAndDelete'))
    .examples('slipway logout')
    .action((_, command) => {
      const { host, profile, screen } = open(command);
      const known = openConfigFile(host).remove(profile);
      screen.say(known ? phrase('service.signedOut') : phrase('service.youWereNotSigned'));
    });
}
