import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { findWhereabouts, nameData, noteWhereabouts } from '#local/whereabouts.ts';

let directory: string;
let database: Listening;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  database = await listenOnLoopback(
    createServer((_, response) => response.writeHead(400).end('{}')),
    0,
  );
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await database.close();
});

const here = () => ({
  pid: process.pid,
  url: 'http://localhost:3000',
  data: nameData('.slipway/data'),
  table: { name: 'slipway', endpoint: database.endpoint },
});
/** A process that lives as long as this one, and in its place. */
const beside = () => ({
  ...here(),
  pid: process.ppid,
  url: 'http://localhost:3001',
  data: 'memory',
});
const gone = () => ({ ...here(), pid: spawnSync('true').pid });
const folder = () => join(directory, 'running');

describe('the whereabouts of a laptop edition', () => {
  it('are found while it runs, and only by its owner', async () => {
    const file = join(folder(), `${process.pid}.json`);
    mkdirSync(folder());
    writeFileSync(file, 'left over, and for everybody', { mode: 0o644 });
    expect(await findWhereabouts(directory)).toBeUndefined();
    const forget = noteWhereabouts(directory, here());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await findWhereabouts(directory)).toEqual(here());
    forget();
    expect(existsSync(folder())).toBe(false);
    expect(await findWhereabouts(directory)).toBeUndefined();
  });

  it('stay when others come and go, in any order', async () => {
    const forgetEarlier = noteWhereabouts(directory, beside());
    noteWhereabouts(directory, here());
    forgetEarlier();
    expect(await findWhereabouts(directory)).toEqual(here());
    const forgetLater = noteWhereabouts(directory, beside());
    forgetLater();
    expect(await findWhereabouts(directory)).toEqual(here());
  });

  it('are told apart by folder or port, and named if it is not said which', async () => {
    noteWhereabouts(directory, here());
    noteWhereabouts(directory, beside());
    expect(await findWhereabouts(directory, { DATA_DIR: '.slipway/data' })).toEqual(here());
    expect(await findWhereabouts(directory, { PORT: 3001 })).toEqual(beside());
    const lines = `  http://localhost:3000, with DATA_DIR=${here().data}\n  http://localhost:3001, with DATA_DIR=memory`;
    await expect(findWhereabouts(directory)).rejects.toThrow(
      `Several laptop editions are running here. Say which one you mean, by DATA_DIR or PORT as it was started:\n${lines}`,
    );
    await expect(findWhereabouts(directory, { DATA_DIR: '/elsewhere' })).rejects.toThrow(
      `None of the laptop editions that run here was started like that. Choose one of them, by DATA_DIR or PORT as it was started:\n${lines}`,
    );
  });

  it('count for nothing once its process has ended, and go with the next start', async () => {
    noteWhereabouts(directory, gone());
    expect(await findWhereabouts(directory)).toBeUndefined();
    noteWhereabouts(directory, here());
    expect(readdirSync(folder())).toEqual([`${process.pid}.json`]);
  });

  it('count for nothing where its number is the number of another process by now', async () => {
    noteWhereabouts(directory, here());
    await database.close();
    expect(await findWhereabouts(directory)).toBeUndefined();
  });
});
