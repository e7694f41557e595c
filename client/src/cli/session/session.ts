import { setTimeout as pause } from 'node:timers/promises';
import { readDuration } from '../../format/read-duration.ts';
import { createClient, type Settings, type SlipwayOnNode } from '../../node/index.ts';
import type { Host } from '../host/host.ts';
import { CannotDo, type Outcome } from '../outcome/outcome.ts';
import { openConfigFile } from '../profile/config-file.ts';
import { findAccess, usualProfile } from '../profile/find-profile.ts';
import { openScreen, type Screen } from '../screen/screen.ts';

/** What a command works with. */
export interface Session {
  readonly host: Host;
  readonly screen: Screen;
  /** Whether programs read what is written. */
  readonly json: boolean;
  readonly profile: string;
  /** The first Ctrl-C; a second one leaves at once. */
  readonly interrupt: AbortSignal;
  /** How long an answer may take, and what ends waiting for it. */
  limits(): Pick<Settings, 'timeout' | 'fetch' | 'pause'>;
  /** Refuses where nobody is signed in. */
  connect(): SlipwayOnNode;
  /** The address of the service. */
  address(): string;
  end(outcome: Outcome): void;
}

/** A person waits for a while, not for the minute that a program would. */
const retries = 4;

export function openSession(
  host: Host,
  options: Readonly<Record<string, unknown>>,
  interrupt: AbortSignal,
  end: (outcome: Outcome) => void,
): Session {
  const { profile: named = host.environment.SLIPWAY_PROFILE } = options;
  const profile = typeof named === 'string' && named !== '' ? named : usualProfile;
  const find = () => findAccess(host, openConfigFile(host), profile);
  const limits = () => ({ ...readTimeout(options, host), ...endWith(interrupt) });
  return {
    host,
    limits,
    screen: openScreen(host),
    json: options.json === true,
    profile,
    interrupt,
    connect: () => {
      const { url, token } = find();
      return createClient({ baseUrl: url, token, retries, ...limits() });
    },
    address: () => find().url,
    end,
  };
}

function readTimeout(
  options: Readonly<Record<string, unknown>>,
  host: Host,
): Pick<Settings, 'timeout'> {
  if (typeof options.timeout === 'number') return { timeout: options.timeout * 1000 };
  const { SLIPWAY_TIMEOUT: text = '' } = host.environment;
  if (text === '') return {};
  const seconds = readDuration(text);
  if (seconds !== undefined && seconds > 0) return { timeout: seconds * 1000 };
  throw new CannotDo(`SLIPWAY_TIMEOUT is '${text}', which is not a duration.`, {
    next: 'Write it with its unit, such as 30s or 2m.',
  });
}

/** Every request, and every pause before the next, ends with Ctrl-C. */
function endWith(interrupt: AbortSignal): Pick<Settings, 'fetch' | 'pause'> {
  const join = (signal?: AbortSignal | null) =>
    signal ? AbortSignal.any([signal, interrupt]) : interrupt;
  return {
    fetch: (address, init) => fetch(address, { ...init, signal: join(init?.signal) }),
    pause: (ms, signal) => pause(ms, undefined, { signal: join(signal) }),
  };
}
