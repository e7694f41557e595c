import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { isSafeAddress } from '../../sign-in/safe-address.ts';
import type { Host } from '../terminal/host.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** How the token was obtained, and how to get the next one. */
const SignIn = v.variant('kind', [
  v.object({
    kind: v.literal('laptop'),
    user: v.string(),
    administrator: v.boolean(),
    /** The file of the key, not the key itself, so that a new key is found too. */
    keyFile: v.exactOptional(v.string()),
  }),
  /** At an issuer, by the device flow or in a browser. Older profiles have this name. */
  v.object({
    kind: v.literal('device'),
    issuer: v.string(),
    clientId: v.string(),
    scope: v.string(),
    audience: v.exactOptional(v.string()),
    /** The issuer's token that the service accepts, if it is not the access token. */
    token: v.exactOptional(v.picklist(['access_token', 'id_token'])),
    redirectHost: v.exactOptional(v.literal('localhost')),
  }),
  v.object({ kind: v.literal('token') }),
]);

const Token = v.object({
  access: v.string(),
  refresh: v.exactOptional(v.string()),
  /** Milliseconds. Missing if the issuer did not say when the token expires. */
  expires: v.exactOptional(v.number()),
});

/** A service, and a sign-in for it. */
export const Profile = v.object({ url: v.string(), signIn: SignIn, token: Token });

export type Profile = v.InferOutput<typeof Profile>;
export type Token = v.InferOutput<typeof Token>;
export type IssuerSignIn = Extract<Profile['signIn'], { kind: 'device' }>;
export type LaptopSignIn = Extract<Profile['signIn'], { kind: 'laptop' }>;

const Config = v.object({ profiles: v.record(v.string(), Profile) });

export type ConfigFile = ReturnType<typeof openConfigFile>;

/** Opens the file of profiles. It holds tokens, so only its owner may read it. */
export function openConfigFile({ environment }: Host) {
  const home = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  const path = join(home, 'slipway', 'config.json');
  const read = (): Readonly<Record<string, Profile>> =>
    readSafely(path, Config, phrase('session.removeItAndSign'))?.profiles ?? {};
  return {
    path,
    list: (): readonly string[] => Object.keys(read()),
    read: (name: string): Profile | undefined => read()[name],
    write: (name: string, profile: Profile): void =>
      writeSafely(path, { profiles: { ...read(), [name]: profile } }),
    /** Returns whether there was one. */
    remove: (name: string): boolean => {
      const { [name]: known, ...profiles } = read();
      if (known) writeSafely(path, { profiles });
      return known !== undefined;
    },
  };
}

/** Reads a file of settings, if it is there. Refuses one that is damaged. */
export function readSafely<Shape>(
  path: string,
  schema: v.GenericSchema<unknown, Shape>,
  next: string,
): Shape | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const file = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (file.success) return file.output;
  throw new CannotDo(phrase('shared.theFileCannotBeRead', { path }), { next });
}

/** Writes aside and renames, because two commands may renew their tokens at once. */
export function writeSafely(path: string, config: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** Refuses an address at which others could read a token on its way. */
export function requireSafeAddress(address: string): string {
  if (isSafeAddress(address)) return address;
  if (/^http:/i.test(address) && URL.canParse(address)) {
    throw new CannotDo(phrase('session.isNotEncrypted', { address }), {
      next: phrase('session.useHttps', { address: address.replace(/^http:/i, 'https:') }),
    });
  }
  throw new CannotDo(phrase('session.isNotTheAddress', { address }), {
    next: phrase('session.writeAddress'),
  });
}
