import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole } from './open-console.ts';
import { shots } from './pictures/shots.ts';
import { shrinkPng } from './pictures/shrink-png.ts';

const kept = 'docs/pictures';
const mostBytes = 120_000;
const names = shots.map(({ name }) => `${name}.png`).sort();

function listPictures(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.png'))
    .sort();
}

describe('the pictures of the console', () => {
  it('match the list of shots, and are small', () => {
    expect(listPictures(kept)).toEqual([...names, 'console-study.png'].sort());
    for (const file of listPictures(kept)) {
      expect(readFileSync(join(kept, file)).length, file).toBeLessThan(mostBytes);
    }
  });
});

describe.runIf(findChromium())('npm run pictures', () => {
  it('takes every picture', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-pictures-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await promisify(execFile)(
      process.execPath,
      ['test/browser/pictures/take-pictures.ts', '--built', '--out', folder],
      { env: { PATH: process.env.PATH } },
    );
    expect(listPictures(folder)).toEqual(names);
  });

  it('makes a picture smaller without changing a pixel', async () => {
    const { page } = await openConsole();
    await page.getByRole('button', { name: 'Researcher 306328' }).waitFor();
    const png = await page.screenshot();
    const small = shrinkPng(png);
    expect(small.length).toBeLessThan(png.length);
    const [before, after] = await page.evaluate(
      (pictures) =>
        Promise.all(
          pictures.map(async (base64) => {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext('2d');
            context?.drawImage(bitmap, 0, 0);
            const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {};
            const sum = await crypto.subtle.digest('SHA-256', data ?? new Uint8Array());
            return [bitmap.width, bitmap.height, ...new Uint8Array(sum)].join(' ');
          }),
        ),
      [png, small].map((picture) => picture.toString('base64')),
    );
    expect(after).toBe(before);
  });
});
