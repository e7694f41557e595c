import { setTimeout as pause } from 'node:timers/promises';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { readDuration } from '../../format/times/duration.ts';
import { createClient, type Settings, type SlipwayOnNode } from '../../node/index.ts';
import { writeCsv } from '../../rows/write-csv.ts';
import {
  type ConfigFile,
  openConfigFile,
  type Profile,
  requireSafeAddress,
  type Token,
} from '../sign-in/profile.ts';
import type { Host } from '../terminal/host.ts';
import { CannotDo, type ExitCode, outcome } from '../terminal/outcome.ts';
import { type Column, openScreen, type Screen } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

/** The context of one command: its terminal, options and service. */
export interface Session {
  readonly host: Host;
  readonly screen: Screen;
  /** True if a program reads the output. */
  readonly json: boolean;
  readonly profile: string;
  /** Aborts at the first Ctrl-C. The second one leaves at once. */
  readonly interrupt: AbortSignal;
  /** Settings that limit how long requests take and end them with Ctrl-C. */
  limits(): Pick<Settings, 'timeout' | 'fetch' | 'pause'>;
  /** The client of the service. Reading it throws if nobody is signed in. */
  readonly client: SlipwayOnNode;
  /** Opens a new client, for whoever is signed in now. */
  connect(): SlipwayOnNode;
  /** Returns the address of the service. */
  address(): string;
  /** Prints an answer of the service as JSON, or in these words. */
  print(answer: unknown, ...words: readonly string[]): void;
  end(outcome: ExitCode): void;
}

/** Fewer retries than programs make: a person does not wait for a minute. */
const retries = 4;

export function openSession(
  host: Host,
  options: Readonly<Record<string, unknown>>,
  interrupt: AbortSignal,
  end: (outcome: ExitCode) => void,
): Session {
  const { profile: named = host.environment.SLIPWAY_PROFILE } = options;
  const profile = typeof named === 'string' && named !== '' ? named : usualProfile;
  const find = () => findAccess(host, openConfigFile(host), profile);
  const limits = () => ({ ...readTimeout(options, host), ...endWith(interrupt) });
  const screen = openScreen(host);
  const json = options.json === true;
  const connect = () => {
    const { url, token } = find();
    return createClient({ baseUrl: url, token, retries, ...limits() });
  };
  let client: SlipwayOnNode | undefined;
  return {
    host,
    limits,
    screen,
    json,
    profile,
    interrupt,
    connect,
    get client() {
      client ??= connect();
      return client;
    },
    address: () => find().url,
    print: (answer, ...words) => screen.say(...(json ? [JSON.stringify(answer, null, 2)] : words)),
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
  throw new CannotDo(phrase('session.slipwayTimeout', { text }), {
    next: phrase('session.writeItWithItsUnit'),
  });
}

/** Ends every request, and every pause before a retry, with Ctrl-C. */
function endWith(interrupt: AbortSignal): Pick<Settings, 'fetch' | 'pause'> {
  const join = (signal?: AbortSignal | null) =>
    signal ? AbortSignal.any([signal, interrupt]) : interrupt;
  return {
    fetch: (address, init) => fetch(address, { ...init, signal: join(init?.signal) }),
    pause: (ms, signal) => pause(ms, undefined, { signal: join(signal) }),
  };
}

export const usualProfile = 'default';

interface Access {
  readonly url: string;
  readonly token: (refused?: string) => Promise<string>;
}

/** Renews early, so that a token does not expire during a request. */
const marginMs = 60_000;

/**
 * Finds the service and a token. SLIPWAY_URL and SLIPWAY_TOKEN win over the profile, for scripts
 * and pipelines.
 */
function findAccess({ environment }: Host, file: ConfigFile, name: string): Access {
  const { SLIPWAY_URL: url, SLIPWAY_TOKEN: token } = environment;
  const profile = file.read(name);
  if (token) {
    if (!url && !profile) {
      throw new CannotDo(phrase('session.slipwayTokenIsSet'), {
        next: phrase('session.setSlipwayUrlAsWell'),
      });
    }
    return { url: requireSafeAddress(url || (profile?.url ?? '')), token: async () => token };
  }
  if (!profile) throw notSignedIn(name);
  return {
    url: requireSafeAddress(url || profile.url),
    token: createTokenSource(file, name, profile),
  };
}

/** Renews the token before it expires, and once more if the service refuses it. */
function createTokenSource(file: ConfigFile, name: string, known: Profile): Access['token'] {
  let { token } = known;
  return async (refused) => {
    if ((token.expires ?? Infinity) - marginMs <= Date.now() || refused === token.access) {
      const renewed = await renew(known, token);
      if (!renewed) throw notSignedIn(name);
      token = renewed;
      file.write(name, { ...known, token });
    }
    return token.access;
  };
}

async function renew({ url, signIn }: Profile, { refresh }: Token): Promise<Token | undefined> {
  if (signIn.kind === 'token') return undefined;
  if (signIn.kind === 'laptop') {
    const { signInOnLaptop } = await import('../sign-in/sign-in-on-laptop.ts');
    return signInOnLaptop(url, signIn, Date.now());
  }
  if (refresh === undefined) return undefined;
  const { refreshToken } = await import('../sign-in/sign-in.ts');
  return refreshToken(signIn, refresh, Date.now());
}

function notSignedIn(name: string): CannotDo {
  const how = name === usualProfile ? '' : ` --profile ${name}`;
  return new CannotDo(phrase('session.youAreNotSignedIn'), {
    outcome: outcome.refused,
    next: phrase('session.signIn', { how }),
  });
}

/** Asks a person. Programs have decided already, so the answer is yes. */
export async function confirm(
  { host, screen }: Session,
  question: string,
  yes = false,
): Promise<boolean> {
  if (yes || !screen.isLive) return true;
  const answer = await host.ask(phrase('session.yesOrNo', { question }));
  const words = [phrase('shared.yes'), 'yes'];
  const given = answer?.trim().toLowerCase() ?? '';
  return given !== '' && words.some((yes) => yes === given || yes.slice(0, 1) === given);
}

interface Listing {
  readonly csv?: boolean | undefined;
  /** Shown if the list is empty. */
  readonly none: string;
  /** How many rows were asked for, of a list with the newest first. */
  readonly most?: number;
}

/** Shows a list as JSON, as CSV or as a table. */
export function showList<Row extends object>(
  { screen, json }: Session,
  rows: readonly Row[],
  { csv, none, most }: Listing,
  columns: readonly Column<Row>[],
): void {
  if (json) screen.say(JSON.stringify(rows, null, 2));
  else if (csv) screen.raw(writeCsv(rows));
  else if (rows.length === 0) screen.tell(none);
  else screen.say(...screen.layOut(rows, columns));
  if (rows.length === most) {
    screen.tell(phrase('session.theseAreTheNewest', { most }));
  }
}

/** Opens a session with the options before and after the name of the command. */
export type Open = (command: CommandUnknownOpts) => Session;

/** Takes the first items of a list, and fetches no more pages than needed. */
export async function take<Item>(list: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for await (const item of list) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}

/** A command with examples below its help, which people read first. */
export class CommandWithExamples extends Command {
  examples(...lines: readonly string[]): this {
    const head =
      lines.length === 1 ? phrase('session.exampleHead') : phrase('session.examplesHead');
    return this.addHelpText('after', `\n${head}\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }
}

export function createCommand(name: string, description: string): CommandWithExamples {
  return new CommandWithExamples(name).description(description);
}
