import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { findWhereabouts, noteWhereabouts } from '#local/whereabouts/whereabouts.ts';

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
  table: { name: 'slipway', endpoint: database.endpoint },
});

describe('the whereabouts of a laptop edition', () => {
  it('are found while it runs, and by nobody else', async () => {
    const file = join(directory, 'running.json');
    writeFileSync(file, 'left over, and for everybody', { mode: 0o644 });
    expect(await findWhereabouts(directory)).toBeUndefined();
    const forget = noteWhereabouts(directory, here());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await findWhereabouts(directory)).toEqual(here());
    forget();
    expect(existsSync(file)).toBe(false);
    expect(await findWhereabouts(directory)).toBeUndefined();
  });

  it('are those of the one that started last, and stay when the other one ends', async () => {
    const { pid } = spawnSync('true');
    const forgetEarlier = noteWhereabouts(directory, { ...here(), pid });
    noteWhereabouts(directory, here());
    forgetEarlier();
    expect(await findWhereabouts(directory)).toEqual(here());
  });

  it('count for nothing once its process has ended', async () => {
    noteWhereabouts(directory, { ...here(), pid: spawnSync('true').pid });
    expect(await findWhereabouts(directory)).toBeUndefined();
  });

  it('count for nothing where its number is the number of another process by now', async () => {
    noteWhereabouts(directory, here());
    await database.close();
    expect(await findWhereabouts(directory)).toBeUndefined();
  });
});
