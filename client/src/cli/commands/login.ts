import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type DeviceSignIn,
  type LaptopSignIn,
  openConfigFile,
  type Profile,
  requireSafeAddress,
} from '../session/profile.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';

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
  return createCommand(
    'login',
    'sign in and store the token',
    'slipway login --local',
    'slipway login --local --admin --profile admin',
    'slipway login --url https://jobs.example.org --issuer https://id.example.org --client-id slipway',
  )
    .option('--local', `use the laptop edition (default: ${laptop})`)
    .option('--user <id>', `user number, with --local (default: ${demoUser})`)
    .option('--admin', 'sign in as an administrator, with --local')
    .option('--key-file <file>', 'key of the laptop edition (default: .slipway/key, here or above)')
    .option('--url <url>', 'address of the service')
    .option('--issuer <url>', 'address of the OpenID Connect issuer')
    .option('--client-id <id>', 'client id of this command at the issuer')
    .option('--scope <scopes>', `scopes to request (default: ${usualScope})`)
    .option('--audience <audience>', 'audience, if the issuer needs one')
    .option('--with-token', 'read a token from standard input')
    .action(async (options, command) => {
      const session = open(command);
      const file = openConfigFile(session.host);
      const profile = await signIn(session, options, file.read(session.profile));
      file.write(session.profile, profile);
      const { signIn: how, url } = profile;
      const who =
        how.kind === 'laptop' ? ` as ${how.administrator ? 'administrator ' : ''}${how.user}` : '';
      session.screen.say(`Signed in at ${url}${who}.`);
      session.screen.tell(`Kept in ${file.path}. Next: slipway systems`);
    });
}

async function signIn(session: Session, wishes: Wishes, known?: Profile): Promise<Profile> {
  const url = (wishes.url ?? (wishes.local ? laptop : known?.url))?.replace(/\/$/, '');
  if (url === undefined) throw howTo();
  requireSafeAddress(url);
  if (wishes.withToken) {
    return { url, signIn: { kind: 'token' }, token: { access: await readToken() } };
  }
  const how = chooseWay(wishes, known?.signIn);
  if (how.kind === 'laptop') return signInAtLaptop(url, how, wishes.keyFile);
  const { signInByDevice } = await import('../session/sign-in.ts');
  const token = await signInByDevice(how, {
    show: ({ address, code }) =>
      session.screen.tell(`Open ${address}`, `and check that it shows the code ${code}.`),
    pause: (seconds) => pause(seconds * 1000, undefined, { signal: session.interrupt }),
    now: Date.now,
  });
  return { url, signIn: how, token };
}

async function signInAtLaptop(url: string, how: LaptopSignIn, named?: string): Promise<Profile> {
  const { findKeyFile, signInOnLaptop } = await import('../session/sign-in-on-laptop.ts');
  const keyFile = named === undefined ? (how.keyFile ?? findKeyFile()) : resolve(named);
  const signIn = { ...how, ...(keyFile !== undefined && { keyFile }) };
  return { url, signIn, token: await signInOnLaptop(url, signIn, Date.now()) };
}

/** Chooses how to sign in. Missing options are those of the last time. */
function chooseWay(wishes: Wishes, before?: Profile['signIn']): LaptopSignIn | DeviceSignIn {
  if (wishes.local) {
    const administrator = wishes.admin === true;
    const user = wishes.user ?? (administrator ? demoAdministrator : demoUser);
    return { kind: 'laptop', user, administrator };
  }
  if (before?.kind === 'laptop' && wishes.issuer === undefined) return before;
  const earlier = before?.kind === 'device' ? before : undefined;
  const { issuer = earlier?.issuer, clientId = earlier?.clientId } = wishes;
  const { scope = earlier?.scope ?? usualScope, audience = earlier?.audience } = wishes;
  if (issuer === undefined || clientId === undefined) throw howTo();
  return { kind: 'device', issuer, clientId, scope, ...(audience !== undefined && { audience }) };
}

function howTo(): CannotDo {
  return new CannotDo('The address of the service or its issuer is missing.', {
    next: 'slipway login --url URL --issuer URL --client-id ID   (on a laptop: slipway login --local)',
  });
}

async function readToken(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  const token = Buffer.concat(chunks).toString('utf8').trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token;
  throw new CannotDo('Standard input is not a valid token.');
}

export function createLogout(open: Open) {
  return createCommand('logout', 'sign out and delete the token', 'slipway logout').action(
    (_, command) => {
      const { host, profile, screen } = open(command);
      const known = openConfigFile(host).remove(profile);
      screen.say(known ? 'Signed out.' : 'You were not signed in.');
    },
  );
}
