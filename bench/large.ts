import { createReadStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { composeZip } from '#lib/zips/compose-zip.ts';
import { createClient, placeOf } from '../client/src/node/index.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import { type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const user = '306328';
const hpc = 'hpc_one';
const piece = Buffer.alloc(1_000_000);

export const part: Part = {
  about: `Sends one file up, through a job on this machine and down again, where the download is cut off
halfway and goes on, and then lists the files of a job that wrote many. Prints the memory of the laptop
edition. Needs three times the size of the file on the disk.
`,
  options: {
    megabytes: { usual: 2000, about: 'how large the file is' },
    files: { usual: 1_000_000, about: 'how many files the other job writes' },
  },
  async measure({ count }) {
    const folder = createTemporaryFolder();
    const edition = await startLaptopEdition(join(folder, 'service'), {
      CATALOG: writeCatalog(folder, count('megabytes')),
    });
    const rows = [['', 'seconds', 'MiB at its start', 'MiB at most', '']];
    const figures: Figure[] = [];
    const step = async (name: string, work: () => Promise<string>) => {
      const { seconds, before, peak, said } = await watchMemory(edition, work).catch(
        (error: unknown) => {
          const reason = inspect(error, { depth: 3 });
          throw new Error(`The step '${name}' failed: ${reason}`, { cause: error });
        },
      );
      rows.push([name, seconds.toFixed(1), String(before), String(peak), said]);
      figures.push({ name: `large.${name}`, value: peak, unit: 'MiB' });
    };
    const megabytes = count('megabytes');
    const zip = join(folder, 'large.zip');
    await writeLargeZip(zip, megabytes);
    const { client, cuts } = connect(edition, (megabytes / 2) * 1_000_000);
    const order = { hpc, nodes: 1, cores: 1, runtime: 1 };
    let job = await client.listJobs({ limit: 1 }).then(([first]) => first);
    await step('up', async () => {
      job = await client.submit({ ...order, command: 'mv large.bin result.bin', zip });
      rmSync(zip);
      return '';
    });
    if (!job) throw new Error('There is no job.');
    const large = job;
    await step('job', async () => (await client.waitFor(large)).stage);
    await step('down', async () => {
      const into = join(folder, 'result.bin');
      const bytes = await client.saveFile({ ...placeOf(large), file_id: 'result.bin' }, into);
      await expectZeros(into, megabytes * 1_000_000);
      rmSync(into);
      return `${bytes} bytes, cut at ${cuts.cutAt}, asked again from ${cuts.from}`;
    });
    const wanted = count('files');
    const write = `mkdir -p many; cd many; seq -f %08.0f ${wanted} | xargs -n 5000 touch`;
    const many = await client.submit({ ...order, command: write });
    await client.waitFor(many);
    await step('first-page', async () => {
      const page = await client.listFiles({ ...placeOf(many), limit: 1000 });
      return `${page.length} files`;
    });
    await step('folder', async () => {
      const page = await client.listFiles({ ...placeOf(many), folder: 'many/', limit: 5000 });
      return `${page.length} files`;
    });
    await edition.stop();
    process.stdout.write(formatTable(rows));
    return figures;
  },
};

/** Writes the catalog of this machine with room for the file. */
function writeCatalog(folder: string, megabytes: number): string {
  const given = new URL('../lib/catalog/this-machine.json', import.meta.url);
  const { systems } = JSON.parse(readFileSync(given, 'utf8'));
  const file = join(folder, 'catalog.json');
  const change = {
    maxResultsBytes: (megabytes + 1000) * 1_000_000,
    welcomeQuota: { seconds: 18_000_000, kilobytes: megabytes * 10_000 },
  };
  const changed = systems.map((system: object) => ({ ...system, ...change }));
  writeFileSync(file, JSON.stringify({ systems: changed }));
  return file;
}

/** Notes how much memory the service needs while something is done. */
async function watchMemory({ readMemory }: LaptopEdition, work: () => Promise<string>) {
  const before = readMemory() ?? 0;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory() ?? 0);
  }, 50);
  const began = performance.now();
  const said = await work().finally(() => clearInterval(timer));
  return { seconds: (performance.now() - began) / 1000, before, peak, said };
}

async function writeLargeZip(file: string, megabytes: number): Promise<void> {
  const bytes = megabytes * piece.length;
  let checksum = 0;
  for (let n = 0; n < megabytes; n += 1) checksum = crc32(piece, checksum);
  const sizes = { crc32: checksum, packedBytes: bytes, expandedBytes: bytes };
  const described = { name: 'large.bin', isDeflated: false, mode: 0o100644, ...sizes };
  async function* read() {
    for (let n = 0; n < megabytes; n += 1) yield piece;
  }
  const { stream } = await composeZip([{ ...described, open: read }]).open();
  const out = await open(file, 'w');
  let at = 0;
  for await (const written of stream) {
    // The file has holes where the zip has zeros, so that it takes no room.
    if (written !== piece) await out.write(written, 0, written.length, at);
    at += written.length;
  }
  await out.close();
}

/** A client whose first large download is cut off. */
function connect(edition: LaptopEdition, cutAt: number) {
  const cuts: { cutAt?: number; from?: string } = {};
  const client = createClient({
    baseUrl: edition.url,
    token: edition.authorize(user).authorization.replace('Bearer ', ''),
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      const range = new Headers(init?.headers).get('range');
      if (range !== null) cuts.from = range;
      const isLarge = Number(answer.headers.get('content-length')) > cutAt;
      if (!isLarge || cuts.cutAt !== undefined || !answer.body) return answer;
      cuts.cutAt = cutAt;
      return new Response(answer.body.pipeThrough(cutAfter(cutAt)), answer);
    },
  });
  return { client, cuts };
}

function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new Error('The line is cut.'));
      else controller.enqueue(chunk);
    },
  });
}

async function expectZeros(file: string, bytes: number): Promise<void> {
  const { size } = statSync(file);
  if (size !== bytes) throw new Error(`${size} of ${bytes} bytes arrived.`);
  for await (const chunk of createReadStream(file, { highWaterMark: piece.length })) {
    if (!piece.subarray(0, chunk.length).equals(chunk)) throw new Error('Other bytes arrived.');
  }
}
