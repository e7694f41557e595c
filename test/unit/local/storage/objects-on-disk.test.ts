import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

/** Opens files until there are no handles left, and then uses the storage. */
const script = `
  import { openSync } from 'node:fs';
  import { keepObjectsOnDisk } from '${root}/local/storage/objects-on-disk.ts';
  import { openDirectStore } from '${root}/local/storage/open-direct-store.ts';
  const store = openDirectStore(keepObjectsOnDisk(process.argv[1]), 'inputs');
  await store.put('1/a.zip', Buffer.from('kept'));
  await store.read('1/a.zip');
  try {
    for (;;) openSync('/dev/null');
  } catch {}
  const nameOf = (error) => error.name;
  const names = [
    await store.put('1/b.zip', Buffer.from('x')).then(() => 'stored', nameOf),
    await store.read('1/a.zip').then(() => 'read', nameOf),
  ];
  // Standard output may need a handle too, unless it is open already.
  process.stdout.write(JSON.stringify(names));
`;

it('tells of a process without free file handles as a storage that is away', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const limited = 'ulimit -n 64 && exec "$0" --input-type=module -e "$1" "$2"';
  const printed = execFileSync('sh', ['-c', limited, process.execPath, script, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(JSON.parse(printed)).toEqual(['StorageUnavailableError', 'StorageUnavailableError']);
});
