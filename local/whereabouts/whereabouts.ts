import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/** Where a running laptop edition is, for tools beside it. */
const Whereabouts = v.object({
  pid: v.number(),
  url: v.string(),
  table: v.object({ name: v.string(), endpoint: v.string() }),
  /** The file of its catalog, where it is not the one that ships. */
  catalog: v.exactOptional(v.string()),
});

export type Whereabouts = v.InferOutput<typeof Whereabouts>;

function whereaboutsFile(directory: string): string {
  return join(directory, 'running.json');
}

/** Of two that run side by side, the later one is found. What it returns takes the note away. */
export function noteWhereabouts(directory: string, whereabouts: Whereabouts): () => void {
  const file = whereaboutsFile(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The mode counts only where a file is made: one that was there may have had another.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(whereabouts)}\n`, { mode: 0o600 });
  return () => {
    if (readNote(file)?.pid === whereabouts.pid) rmSync(file, { force: true });
  };
}

/**
 * Nothing where nothing runs. A note outlives a process that was killed, and the number of that
 * process may be another one's by now: so what is noted there is asked whether it answers.
 */
export async function findWhereabouts(directory: string): Promise<Whereabouts | undefined> {
  const noted = readNote(whereaboutsFile(directory));
  if (!noted || !isAlive(noted.pid)) return undefined;
  return (await answers(noted.table.endpoint)) ? noted : undefined;
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
    // It is there, and somebody else's.
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
