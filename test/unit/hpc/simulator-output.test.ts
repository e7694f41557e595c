import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { listInput } from '#lib/hpc/simulator/list-input.ts';
import { observeCourse, plotCourse } from '#lib/hpc/simulator/simulated-job.ts';
import { type SimulatedOrder, writeOutput } from '#lib/hpc/simulator/write-output.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';
import { emptyZip } from '#test/fixtures/zip.ts';

const system = findSystem(catalog, 'hpc_one');
const acceptedAt = new Date('2026-01-01T00:00:00Z');
const hourSeconds = 60;
const at = (seconds: number) => new Date(acceptedAt.getTime() + seconds * 1000);

function plot(title = 'a job title', hours = 2) {
  return plotCourse(system.stages, { acceptedAt, hours, title }, hourSeconds);
}

function stageAt(seconds: number, title?: string) {
  const observation = observeCourse(system.stages, plot(title), at(seconds));
  return observation.state === 'unknown' ? 'unknown' : observation.stage;
}

/** Two hours of a system whose hour takes a minute: 120 s are granted, 96 are needed. */
describe('the course of a simulated job', () => {
  it.each([
    { title: 'a title', ends: 98, used: 5760, failed: false },
    { title: 'sim:full', ends: 122, used: 7200, failed: false },
    { title: 'sim:slow', ends: 126, used: 7200, failed: false },
    { title: 'sim:fail', ends: 49, used: 2880, failed: true },
  ])('ends $title after $ends seconds', ({ title, ends, used, failed }) => {
    const { endsAt, usedSeconds, failed: hasFailed } = plot(title);
    expect({ endsAt, usedSeconds, hasFailed }).toEqual({
      endsAt: at(ends),
      usedSeconds: used,
      hasFailed: failed,
    });
  });

  it('meets its stages in their order, the boundaries included', () => {
    const stages = [0, 0.9, 1, 96.9, 97, 97.9, 98, 5000].map((seconds) => stageAt(seconds));
    expect(stages).toEqual([
      'QUEUED',
      'QUEUED',
      'RUNNING',
      'RUNNING',
      'STAGINGOUT',
      'STAGINGOUT',
      'SUCCESSFUL',
      'SUCCESSFUL',
    ]);
    expect(stageAt(2.9, 'sim:slow')).toBe('QUEUED');
    expect(stageAt(3, 'sim:slow')).toBe('RUNNING');
  });

  it('never uses more than was granted', () => {
    for (const title of ['', 'sim:slow', 'sim:full', 'sim:slow sim:full sim:fail']) {
      expect(plot(title, 3).usedSeconds).toBeLessThanOrEqual(3 * 3600);
    }
  });
});

describe('what a simulated job writes', () => {
  const order: SimulatedOrder = {
    program: 'ls -lisa',
    nodes: 2,
    coresPerNode: 6,
    input: { files: [{ name: 'a.txt', bytes: 12 }], more: 0 },
  };
  function write(seconds: number, title = 'a job title', input = order.input) {
    const job = { acceptedAt, hours: 2, title, ...order, input };
    const files = writeOutput(system, job, plot(title), at(seconds));
    return Object.fromEntries(files.map(({ name, text }) => [name, text]));
  }

  it('is nothing until it runs', () => {
    expect(write(0.9)).toEqual({});
  });

  it('says what runs, while it runs', () => {
    const stdout = [
      'This is the simulator of hpc_one. It only keeps time: nothing was run.',
      'command: ls -lisa',
      'title: a job title',
      'nodes: 2',
      'cores per node: 6',
      'hours granted: 2',
      'started: 2026-01-01T00:00:01.000Z',
      '',
    ].join('\n');
    expect(write(1)).toEqual({ stdout, stderr: '' });
  });

  it('lists the variables of its environment', () => {
    const environment = { SLIPWAY_INDEX: '7', SLIPWAY_COLOUR: 'red' };
    const job = { acceptedAt, hours: 2, title: 'a', ...order, environment };
    const [stdout] = writeOutput(system, job, plot(), at(1));
    expect(stdout?.text).toContain(
      'hours granted: 2\nSLIPWAY_INDEX=7\nSLIPWAY_COLOUR=red\nstarted',
    );
  });

  it('says how it ended, and what it was given', () => {
    const { stdout, ...others } = write(98);
    expect(stdout?.split('\n').slice(7)).toEqual([
      'ended: 2026-01-01T00:01:38.000Z',
      'seconds used: 5760',
      'exit code: 0',
      '',
    ]);
    expect(others).toEqual({ stderr: '', 'listing.txt': '12\ta.txt\n' });
  });

  it('says on stderr that it was told to fail, once it has', () => {
    expect(write(48, 'sim:fail').stderr).toBe('');
    const { stdout, stderr } = write(49, 'sim:fail');
    expect(stderr).toBe('The simulator was told to make this job fail.\n');
    expect(stdout).toContain('exit code: 1\n');
  });

  it.each([
    { input: 'none' as const, listing: 'no input\n' },
    { input: 'unreadable' as const, listing: 'The input is not a readable zip.\n' },
    { input: { files: [], more: 0 }, listing: '' },
    {
      input: { files: [{ name: 'a\nb', bytes: 1 }], more: 7 },
      listing: '1\ta?b\nand 7 more\n',
    },
  ])('lists $input', ({ input, listing }) => {
    expect(write(98, '', input)['listing.txt']).toBe(listing);
  });
});

describe('listInput', () => {
  it('lists files with their sizes, and no folders', async () => {
    const zip = buildZip([
      { name: 'in/' },
      { name: 'in/a.txt', content: 'twelve bytes' },
      { name: 'é.txt', content: 'x', stored: true },
    ]);
    expect(await listInput(openBytes(zip))).toEqual({
      files: [
        { name: 'in/a.txt', bytes: 12 },
        { name: 'é.txt', bytes: 1 },
      ],
      more: 0,
    });
  });

  it('reads the directory of a zip whose beginning it has let go', async () => {
    const zip = buildZip([{ name: 'a.txt', content: 'twelve bytes' }]);
    // A zip may have anything before it, and the places in it count from there.
    const before = 25_000_000;
    const directory = zip.readUInt32LE(zip.length - 6);
    zip.writeUInt32LE(before + directory, zip.length - 6);
    zip.writeUInt32LE(before, directory + 42);
    const piece = new Uint8Array(1_000_000);
    async function* pieces() {
      for (let sent = 0; sent < before; sent += piece.length) yield piece;
      yield zip;
    }
    const stream = ReadableStream.from<Uint8Array>(pieces());
    expect(await listInput({ bytes: before + zip.length, stream })).toEqual({
      files: [{ name: 'a.txt', bytes: 12 }],
      more: 0,
    });
  });

  it('finds nothing in a zip without entries', async () => {
    expect(await listInput(openBytes(emptyZip))).toEqual({ files: [], more: 0 });
  });

  it.each([
    { count: 1000, more: 0 },
    { count: 1003, more: 3 },
  ])('lists 1,000 of $count files, and counts the others', async ({ count, more }) => {
    const names = Array.from({ length: count }, (_, index) => ({ name: `${index}`, stored: true }));
    const listing = await listInput(openBytes(buildZip(names)));
    expect(listing?.files).toHaveLength(1000);
    expect(listing?.more).toBe(more);
  });

  it('keeps no more than 100 KB of names', async () => {
    const names = Array.from({ length: 12 }, (_, index) => ({
      name: `${'n'.repeat(10_000 - 1)}${index % 10}`,
      stored: true,
    }));
    const listing = await listInput(openBytes(buildZip(names)));
    expect(listing?.files).toHaveLength(10);
    expect(listing?.more).toBe(2);
  });

  it.each([
    { what: 'no zip', zip: Buffer.from('PK\x03\x04 and no more') },
    { what: 'a path that leads out', zip: buildZip([{ name: '../../etc/passwd' }]) },
  ])('reads nothing of $what', async ({ zip }) => {
    expect(await listInput(openBytes(zip))).toBeUndefined();
  });
});
