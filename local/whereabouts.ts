import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';

/** Describes a running laptop edition for tools. */
const Whereabouts = v.object({
  pid: v.number(),
  url: v.string(),
  table: v.object({ name: v.string(), endpoint: v.string() }),
  /** Folder of the data, or 'memory'. */
  data: v.string(),
  /** Where users sign in, unless the service signs them in itself. */
  issuer: v.exactOptional(v.string()),
  /** Path of the catalog, unless it is the built-in one. */
  catalog: v.exactOptional(v.string()),
});

export type Whereabouts = v.InferOutput<typeof Whereabouts>;

/** Settings that distinguish running editions. */
export interface EditionChoice {
  readonly DATA_DIR?: string | undefined;
  readonly PORT?: number | undefined;
}

/**
 * Records this process in a file of its own, so that several editions do not interfere. Removes the
 * files of killed processes. Returns a function that removes the record.
 */
export function noteWhereabouts(directory: string, whereabouts: Whereabouts): () => void {
  const folder = folderIn(directory);
  const file = join(folder, `${whereabouts.pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { path, noted } of readNotes(folder)) {
    // Remove our own file too, because writing to an existing file would keep its old mode.
    if (path === file || !noted || !isAlive(noted.pid)) rmSync(path, { force: true });
  }
  writeFileSync(file, `${JSON.stringify(whereabouts)}\n`, { mode: 0o600 });
  return () => {
    rmSync(file, { force: true });
    try {
      rmdirSync(folder);
    } catch {
      // Other editions are still running.
    }
  };
}

/**
 * Finds the running edition, or the chosen one of several. Returns undefined if none runs. If the
 * choice is ambiguous or matches none, throws an error that lists them.
 */
export async function findWhereabouts(
  directory: string,
  choice: EditionChoice = {},
): Promise<Whereabouts | undefined> {
  const running = await listRunning(directory);
  const chosen = running.filter((edition) => isChosen(edition, choice));
  const [only, ...more] = chosen;
  if (only && more.length === 0) return only;
  if (running.length === 0) return undefined;
  const lines = running.map(({ url, data }) => `  ${url}, with DATA_DIR=${data}`);
  const problem = only
    ? 'Several laptop editions are running here. Say which one you mean'
    : 'None of the laptop editions that run here was started like that. Choose one of them';
  throw new Error(`${problem}, by DATA_DIR or PORT as it was started:\n${lines.join('\n')}`);
}

function isChosen({ url, data }: Whereabouts, { DATA_DIR, PORT }: EditionChoice): boolean {
  const isHere = DATA_DIR === undefined || data === nameData(DATA_DIR);
  return isHere && (PORT === undefined || Number(new URL(url).port) === PORT);
}

/** Makes DATA_DIR absolute, so that it can be compared from any folder. */
export function nameData(dataDirectory: string): string {
  return dataDirectory === 'memory' ? dataDirectory : resolve(dataDirectory);
}

/**
 * Lists running editions. A record survives a kill, and its process id may belong to another
 * program by now, so the table must also respond.
 */
async function listRunning(directory: string): Promise<Whereabouts[]> {
  const noted = readNotes(folderIn(directory)).flatMap((note) => note.noted ?? []);
  const alive = noted.filter(({ pid }) => isAlive(pid));
  const answered = await Promise.all(alive.map(({ table }) => answers(table.endpoint)));
  return alive.filter((_, index) => answered[index]).sort((a, b) => a.url.localeCompare(b.url));
}

function folderIn(directory: string): string {
  return join(directory, 'running');
}

function readNotes(folder: string): { path: string; noted: Whereabouts | undefined }[] {
  try {
    return readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return { path, noted: readNote(path) };
    });
  } catch {
    return [];
  }
}

function readNote(file: string): Whereabouts | undefined {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), Whereabouts), readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function answers(endpoint: string): Promise<boolean> {
  const asked = fetch(endpoint, { signal: AbortSignal.timeout(10_000) });
  return asked.then(
    (answer) => answer.body?.cancel().then(() => true) ?? true,
    () => false,
  );
}
