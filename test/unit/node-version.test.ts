import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { engines, devEngines } = readPackage('package.json');

// npm leaves out a native binding whose engines do not fit, without a word, and then no test loads.
it('asks for a Node that installs the native compiler of the tests', () => {
  expect(engines.node).toBe(readPackage('node_modules/rolldown/package.json').engines.node);
});

it('stops an installation by any other Node', () => {
  expect(devEngines).toEqual({
    runtime: { name: 'node', version: engines.node, onFail: 'error' },
  });
});

it.each(['README.md', 'docs/deploy.md', '.ci/run'])('says so in %s', (page) => {
  expect(readFileSync(page, 'utf8')).toMatch(/Node(\.js)? \^20\.19 or >= 22\.12/);
});

function readPackage(file: string): { engines: { node: string }; devEngines?: unknown } {
  return JSON.parse(readFileSync(file, 'utf8'));
}
