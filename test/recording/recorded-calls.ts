import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { RecordedCall } from './service-call.ts';

const kept = new Set<string>();

/** Each worker has a file of its own, a call on each line, and the same call once. */
export function keepCall(folder: string, recorded: RecordedCall): void {
  const line = JSON.stringify(recorded);
  if (kept.has(line)) return;
  kept.add(line);
  appendFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), `${line}\n`);
}

/** What all workers have kept. */
export function readCalls(folder: string): RecordedCall[] {
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  return [...new Set(lines)].sort().map((line): RecordedCall => JSON.parse(line));
}
