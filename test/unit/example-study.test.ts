import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const study = join(import.meta.dirname, '../../docs/examples/my-study');

describe('the study of docs/examples', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-study-'));
  let printed = '';
  beforeAll(() => {
    cpSync(study, folder, { recursive: true });
    const parameters = JSON.parse(readFileSync(join(folder, 'parameters.json'), 'utf8'));
    const smaller = { ...parameters, size: 64, steps: 400, seeds: 6 };
    writeFileSync(join(folder, 'parameters.json'), JSON.stringify(smaller));
    printed = execFileSync(process.execPath, ['study.mjs'], { cwd: folder, encoding: 'utf8' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says how far it is', () => {
    const lines = printed.trimEnd().split('\n');
    expect(lines[0]).toBe('64 x 64 cells, 400 steps, feed 0.0367, kill 0.0649');
    expect(lines).toHaveLength(43);
    expect(lines.at(-2)).toMatch(/^step 400 of 400 \(100 %\): \d+\.\d % covered$/);
  });

  it('writes a table of a pattern that grows', () => {
    const [head, ...rows] = readFileSync(join(folder, 'growth.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe('step,covered');
    const shares = rows.map((row) => Number(row.split(',')[1]));
    expect(shares).toHaveLength(41);
    expect(shares.at(-1)).toBeGreaterThan(0.02);
  });

  it('draws the pattern and a chart', () => {
    const picture = readFileSync(join(folder, 'pattern.png'));
    expect(picture.toString('hex', 0, 8)).toBe('89504e470d0a1a0a');
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([128, 128]);
    const at = picture.indexOf('IDAT');
    const pixels = inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4)));
    expect(pixels).toHaveLength(128 * (1 + 3 * 128));
    expect(new Set(pixels).size).toBeGreaterThan(20);
    expect(readFileSync(join(folder, 'growth.svg'), 'utf8')).toMatch(/^<svg [\s\S]+<\/svg>\n$/);
  });
});
