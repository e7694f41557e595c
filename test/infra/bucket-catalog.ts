import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'slipway-buckets-'));
// Files that are loaded once share it, so that no single one of them may remove it.
process.once('exit', () => rmSync(folder, { recursive: true }));

const example = JSON.parse(readFileSync('docs/examples/aws-batch.json', 'utf8'));

const region = 'eu-central-1';

/** Writes a catalog whose jobs may use buckets, and returns its file. */
export function writeBucketCatalog(name: string, more: object = {}): string {
  const [entry] = example.systems;
  const file = join(folder, `${name}.json`);
  const system = {
    ...entry,
    inputs: { hosts: [], buckets: [{ name: 'lab-data', region, prefix: 'public/' }] },
    outputs: { hosts: [], buckets: [{ name: 'lab-results', region, ...more }] },
  };
  writeFileSync(file, JSON.stringify({ systems: [system] }));
  return file;
}
