import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { licencesFile } from '#infra/constructs/functions/third-party.ts';
import { consoleBudget, weighConsole } from '#tools/client/build-console.ts';

it('is within its budget, and its page names what was built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const weight = await weighConsole(folder);
  expect(weight.first).toBeGreaterThan(10_000);
  expect(weight.first).toBeLessThanOrEqual(consoleBudget.first);
  expect(weight.researcher).toBeGreaterThan(weight.first);
  expect(weight.researcher).toBeLessThanOrEqual(consoleBudget.researcher);
  expect(weight.part).toBeGreaterThan(1000);
  expect(weight.part).toBeLessThanOrEqual(consoleBudget.part);
  expect(weight.language).toBeGreaterThan(1000);
  expect(weight.language).toBeLessThanOrEqual(consoleBudget.language);
  expect(weight.style).toBeGreaterThan(1000);
  expect(weight.style).toBeLessThanOrEqual(consoleBudget.style);

  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  );
  expect(named).toEqual([
    'icon.svg',
    expect.stringMatching(/^assets\/style-\w{8}\.css$/),
    expect.stringMatching(/^assets\/part-\w{8}\.js$/),
    expect.stringMatching(/^assets\/start-\w{8}\.js$/),
  ]);
  for (const name of named) expect(readFileSync(join(folder, name)).length).toBeGreaterThan(0);
  const licences = readFileSync(join(folder, licencesFile), 'utf8');
  const packages = [...licences.matchAll(/^(\S+) [\d.]+ \(MIT\)$/gm)].map(([, name]) => name);
  expect(packages).toEqual(['@preact/signals', '@preact/signals-core', 'oauth4webapi', 'preact']);
  expect(licences.match(/^Permission is hereby granted/gm)).toHaveLength(3);
  // What is written into a page is what its policy forbids.
  expect(page).not.toMatch(/<style|<script(?![^>]* src=)|style=|\son\w+=/);
});
