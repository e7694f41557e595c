import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import type { Slipway } from '../../index.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { openConfigFile } from '../sign-in/profile.ts';
import { openTemplates } from '../submission/templates.ts';
import type { Host } from '../terminal/host.ts';
import { cleanText, cutText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

/** A name to complete, and a few words about it. */
type Name = readonly [name: string, about: string];

interface Source {
  /** How long the names of an earlier request are good enough. */
  readonly seconds: number;
  readonly read: (client: Slipway, options: { readonly signal: AbortSignal }) => Promise<Name[]>;
}

const mostIds = 100;
const widest = 60;

const sources = {
  systems: {
    seconds: 60,
    read: async (client, options) =>
      (await client.listSystems({}, options)).map(({ name, description }) => [name, description]),
  },
  projects: {
    seconds: 60,
    read: async (client, options) =>
      (await client.listProjects({}, options))
        .filter(({ closed }) => closed !== true)
        .map(({ project_name: name, project_hpc: hpc }) => [
          name,
          phrase('service.onSystem', { hpc: hpc.toLowerCase() }),
        ]),
  },
  jobs: {
    seconds: 5,
    read: async (client, options) =>
      (await client.listJobs({ order: 'desc', limit: mostIds }, options)).map((job) => [
        writeShortId(job.job_id),
        `${job.title || phrase('shared.noTitle')}, ${job.stage}`,
      ]),
  },
  batches: {
    seconds: 5,
    read: async (client, options) =>
      (await client.listBatches({ limit: mostIds }, options)).map((batch) => [
        writeShortId(batch.batch_id),
        `${batch.title || phrase('shared.noTitle')}, ${writeCount(batch.count, 'job')}`,
      ]),
  },
} as const satisfies Record<string, Source>;

/** Names that are kept on this machine. */
const locals: Readonly<Record<string, (host: Host) => Name[]>> = {
  templates: (host) =>
    openTemplates(host)
      .list()
      .map(({ name, hpc }) => [name, phrase('service.onSystem', { hpc })]),
  profiles: (host) =>
    openConfigFile(host)
      .list()
      .map((name) => [name, '']),
};

type Kind = keyof typeof sources;

/** The hidden command behind completion in shells. Prints nothing if anything goes wrong. */
export function createComplete(open: Open) {
  return createCommand('complete', phrase('service.printNamesForAShell'))
    .examples('slipway complete jobs AF')
    .argument('<kinds>', phrase('service.systemsProjects'))
    .argument('[start]', phrase('service.startOfTheName'), '')
    .option('--describe', phrase('service.addATab'))
    .action(async (kinds, start, { describe }, command) => {
      const session = open(command);
      const lists = await Promise.all(
        kinds.split(',').map((kind) => readNames(session, kind).catch(() => [])),
      );
      const found = lists.flat().flatMap(([name, about]) => {
        const typed = matchCase(name, start);
        // Shells read these lines, so a name must not mean anything else to them.
        if (typed === undefined || !/^[\w.-]+$/.test(name)) return [];
        return [describe ? `${typed}\t${cutText(cleanText(about), widest)}` : typed];
      });
      if (found.length > 0) session.screen.say(...found);
    });
}

function isKind(kind: string): kind is Kind {
  return kind in sources;
}

/** Returns the name if it starts this way, with the letters as they were typed. */
function matchCase(name: string, start: string): string | undefined {
  if (!name.toLowerCase().startsWith(start.toLowerCase())) return undefined;
  const rest = name.slice(start.length);
  const isLower = start !== start.toUpperCase() && start === start.toLowerCase();
  return `${start}${isLower ? rest.toLowerCase() : rest}`;
}

/** Somebody waits with a finger on the key. */
const patienceMs = 2_000;

async function readNames(session: Session, kind: string): Promise<readonly Name[]> {
  if (!isKind(kind)) return locals[kind]?.(session.host) ?? [];
  const file = await findCache(session, kind);
  const source: Source = sources[kind];
  const kept = readKept(file, source.seconds);
  if (kept) return kept;
  const names = await source.read(session.client, { signal: AbortSignal.timeout(patienceMs) });
  keep(file, names);
  return names;
}

/** Everybody who signs in somewhere has a file of their own for each kind. */
async function findCache(session: Session, kind: Kind): Promise<string> {
  const { host, profile, address } = session;
  const { environment } = host;
  const { createHash } = await import('node:crypto');
  const home = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
  const whose = [address(), profile, environment.SLIPWAY_TOKEN ?? ''].join('\n');
  const name = createHash('sha256').update(whose).digest('hex').slice(0, 16);
  return join(home, 'slipway', `${name}-${kind}.json`);
}

function readKept(file: string, seconds: number): readonly Name[] | undefined {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    if (age < 0 || age > seconds * 1000) return undefined;
    const names: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(names) && names.every(isName) ? names : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is Name {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** Titles of jobs may be private, so only their owner may read the file. */
function keep(file: string, names: readonly Name[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(names), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // Without a cache the next key asks the service again.
  }
}
