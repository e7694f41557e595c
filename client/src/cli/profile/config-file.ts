import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Host } from '../host/host.ts';
import { CannotDo } from '../outcome/outcome.ts';
import { Profile } from './profile.ts';

const Config = v.object({ profiles: v.record(v.string(), Profile) });

type Config = v.InferOutput<typeof Config>;

export interface ConfigFile {
  readonly path: string;
  read(name: string): Profile | undefined;
  write(name: string, profile: Profile): void;
  /** Whether there was one. */
  remove(name: string): boolean;
  names(): string[];
}

/** Tokens are in it: nobody but its owner may read it. */
export function openConfigFile({ environment }: Host): ConfigFile {
  const home = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  const path = join(home, 'slipway', 'config.json');
  const change = (edit: (profiles: Record<string, Profile>) => void) => {
    const profiles = { ...readConfig(path).profiles };
    edit(profiles);
    writeSafely(path, { profiles });
  };
  return {
    path,
    read: (name) => readConfig(path).profiles[name],
    names: () => Object.keys(readConfig(path).profiles),
    write: (name, profile) =>
      change((profiles) => {
        profiles[name] = profile;
      }),
    remove: (name) => {
      const known = readConfig(path).profiles[name] !== undefined;
      if (known) {
        change((profiles) => {
          delete profiles[name];
        });
      }
      return known;
    },
  };
}

function readConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { profiles: {} };
  }
  const config = v.safeParse(v.pipe(v.string(), v.parseJson(), Config), text);
  if (config.success) return config.output;
  throw new CannotDo(`The file ${path} cannot be read.`, {
    next: 'Remove it and sign in again: slipway login',
  });
}

/** Whole or not at all: two commands may renew their tokens at once. */
function writeSafely(path: string, config: Config): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
