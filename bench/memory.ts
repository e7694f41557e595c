import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { relayKey } from '#lib/files/object-keys.ts';
import { fileOf } from '#local/storage/objects-on-disk.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder, runChild, startChild } from './measure/processes.ts';
import { inputKey } from './memory/place.ts';

const Outcome = v.object({ before: v.number(), peak: v.number(), seconds: v.number() });

const transfers = [
  { kind: 'unicore', direction: 'in' },
  { kind: 'nsg', direction: 'in' },
  { kind: 'unicore', direction: 'out' },
  { kind: 'nsg', direction: 'out' },
] as const;
type Transfer = (typeof transfers)[number];

export const part: Part = {
  about: `Measures the memory of one transfer: an input from the storage to UNICORE and to NSG, and a result from
them to the storage. Storage and systems run in their own processes, so the measured process needs as
much as a function. The input is a sparse file; the result needs its full size on disk.
`,
  options: { megabytes: { usual: 1000, about: 'how large the file is' } },
  async measure({ count }) {
    const bytes = count('megabytes') * 1_000_000;
    const folder = createTemporaryFolder();
    const files = join(folder, 'files');
    makeSparse(locate(files, 'inputs', inputKey), bytes);
    const storage = await startServer(folder, 'run-storage', [files]);
    const rows = [['', 'MiB at its start', 'MiB at most', 'seconds', 'MB a second']];
    const figures: Figure[] = [];
    for (const transfer of transfers) {
      const name = `${transfer.kind}-${transfer.direction}`;
      const upstream = await startServer(
        folder,
        'run-upstream',
        [transfer.kind, String(bytes)],
        name,
      );
      const places = [upstream.address, storage.address];
      const { before, peak, seconds } = await measureTransfer(folder, transfer, places);
      await expectWhole(transfer, bytes, upstream.readLog(), files);
      await upstream.stop();
      const speed = bytes / 1_000_000 / seconds;
      rows.push([name, mebibytes(before), mebibytes(peak), seconds.toFixed(1), speed.toFixed(0)]);
      figures.push({ name: `memory.${name}`, value: peak / 2 ** 20, unit: 'MiB' });
    }
    await storage.stop();
    process.stdout.write(formatTable(rows));
    return figures;
  },
};

function makeSparse(file: string, bytes: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  truncateSync(file, bytes);
}

function locate(files: string, bucket: string, key: string): string {
  return join(files, 'buckets', fileOf({ bucket, key }));
}

async function startServer(
  folder: string,
  program: string,
  parameters: readonly string[],
  name = program,
) {
  const logFile = join(folder, `${name}.log`);
  const file = join(import.meta.dirname, 'memory', `${program}.ts`);
  const child = startChild({ command: [process.execPath, file, ...parameters], folder, logFile });
  const readLog = () => readFileSync(logFile, 'utf8');
  const address = await pollUntil(`${name} answers`, 60, async () => {
    const end = child.findEnd();
    if (end !== undefined) throw new Error(end);
    return /^listening (.+)$/m.exec(readLog())?.[1];
  });
  return { ...child, address, readLog };
}

async function measureTransfer(
  folder: string,
  { kind, direction }: Transfer,
  places: readonly string[],
) {
  const file = join(folder, 'transfer.json');
  const output = openSync(file, 'w');
  const program = join(import.meta.dirname, 'memory/run-transfer.ts');
  const code = await runChild(process.execPath, [program, kind, direction, ...places], {
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  if (code !== 0) throw new Error(`The transfer failed (${kind}, ${direction}).`);
  return v.parse(Outcome, JSON.parse(readFileSync(file, 'utf8')));
}

/** Throws if bytes were lost, because the figure would be worthless. */
async function expectWhole(
  { kind, direction }: Transfer,
  bytes: number,
  upstreamLog: string,
  files: string,
): Promise<void> {
  if (direction === 'in') {
    const received = Number(/^received (\d+)$/m.exec(upstreamLog)?.[1]);
    // NSG gets the input inside a form, so it receives more bytes.
    const isWhole = kind === 'nsg' ? received > bytes : received === bytes;
    if (!isWhole) throw new Error(`${kind} received ${received} of ${bytes} bytes.`);
    return;
  }
  const id = kind === 'nsg' ? 'output.7' : Buffer.from('result').toString('base64url');
  const result = locate(files, 'results', relayKey(userId('42'), jobId('A-1'), id));
  const stored = statSync(result).size;
  rmSync(result);
  if (stored !== bytes) throw new Error(`The storage has ${stored} of ${bytes} bytes.`);
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
