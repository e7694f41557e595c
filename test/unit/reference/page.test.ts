import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDescription } from '#lib/reference/description.ts';
import { makeFiles, packBytes } from '#lib/reference/make-files.ts';
import { listOperations } from '#lib/reference/operation.ts';
import { readProblems } from '#lib/reference/problem-section.ts';
import { slipwayExamples } from '#lib/reference/slipway-examples.ts';
import { writePage } from '#lib/reference/write-page.ts';

const text = readFileSync('docs/openapi.json', 'utf8');
const description = readDescription(JSON.parse(text));
const problems = readProblems(readFileSync('docs/problems.md', 'utf8'));
const operations = listOperations(description);
const { body, contents } = writePage(description, problems);

function makePage(from: string | RegExp, to: string) {
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  return writePage(readDescription(JSON.parse(changed)), problems);
}

describe('the reference', () => {
  it('has every operation, under each of its ids, with each of its paths', () => {
    for (const [path, item] of Object.entries(description.paths)) {
      for (const [method, form] of Object.entries(item)) {
        if (!form) continue;
        expect(body.text).toContain(`id="${form.operationId}"`);
        const content = `${form['x-path']} ${contents[form['x-operation']]}`;
        expect(content, `${method} ${path}`).toContain(path);
        for (const { name } of form.parameters) expect(content).toContain(`<code>${name}</code>`);
      }
    }
    expect(operations.length).toBeGreaterThan(80);
  });

  it('shows the fields of Payload where jobs are submitted', () => {
    for (const name of ['submitJob', 'submitBatch']) {
      expect(contents[name]).toMatch(/Fields of (Batch)?Payload/);
      expect(contents[name]).toContain('<code>runtime</code> <small>required</small>');
    }
  });

  it('has examples that a shell and Python take as they are', () => {
    expect(contents.submitJob).toContain(
      'curl -X POST &quot;$SLIPWAY_URL/jobs/hpc_one/proj_hpc_one_01/&quot;',
    );
    expect(contents.getTimeline).toMatch(
      /s\.api\.get_timeline\(hpc=&quot;hpc_one&quot;, project_name=/,
    );
    expect(contents.readStatus).not.toContain('Authorization');
  });

  it('calls only methods that the Python package has', () => {
    const methods = readFileSync('python/src/slipway_hpc/_sync/operations.py', 'utf8');
    const called = Object.values(contents).flatMap((content) => [
      ...content.matchAll(/s\.api\.(\w+)\(/g),
    ]);
    expect(called.length).toBeGreaterThan(60);
    for (const [, name] of called) expect(methods).toContain(`    def ${name}(`);
  });

  it('names no command of an operation that is gone', () => {
    const known = operations.map(({ name }) => name);
    expect(Object.keys(slipwayExamples).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('tries only what reads: never a submission, a change or a file', () => {
    const tried = [...body.text.matchAll(/<details id="(\w+)" data-path="[^"]+" data-try>/g)];
    const names = tried.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['listJobs', 'listQuotas', 'readStatus']));
    const methods = operations.filter(({ name }) => names.includes(name));
    expect(new Set(methods.map(({ method }) => method))).toEqual(new Set(['GET']));
    for (const name of ['getFile', 'handOutInput', 'submitJob']) expect(names).not.toContain(name);
  });

  it('is sent in less than 120 kB, and the part before the first view in 15', () => {
    const files = makeFiles();
    const sent = (names: readonly (keyof typeof files)[]) =>
      names.reduce((sum, name) => sum + packBytes(files[name], 'br', 'soon').length, 0);
    expect(sent(['index.html', 'reference.css', 'reference.js'])).toBeLessThan(120_000);
    expect(sent(['index.html', 'reference.css'])).toBeLessThan(15_000);
  });

  it.each([
    {
      what: 'an unknown keyword',
      from: '"operationId":',
      to: '"operationID":',
      says: 'operationI',
    },
    {
      what: 'an unknown object',
      from: '/schemas/Job"',
      to: '/schemas/Jobb"',
      says: 'schemas/Jobb leads nowhere',
    },
    {
      what: 'an unknown problem',
      from: /"(#\/components\/responses\/)invalid-token"/,
      to: '"$1invalid-tokens"',
      says: 'invalid-tokens leads nowhere',
    },
    {
      what: 'an unknown tag',
      from: /"tags": \["Jobs"\]/,
      to: '"tags": ["Job"]',
      says: 'listJobs needs one tag',
    },
    { what: 'a wrong type', from: '"required": true', to: '"required": "true"', says: 'required' },
  ])('is not made from $what', ({ from, to, says }) => {
    expect(() => makePage(from, to)).toThrow(says);
  });

  it('is not made with a problem that nothing explains', () => {
    const fewer = problems.filter(({ name }) => name !== 'busy');
    expect(() => writePage(description, fewer)).toThrow('nothing describes problem-busy');
  });
});
