import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = '.github/workflows';
const workflows = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(join(folder, file), 'utf8'),
}));

/** A tag can be moved to other code, a commit cannot. The comment tells people and Dependabot which one it is. */
const pinned = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

function findUses(text: string): string[] {
  return [...text.matchAll(/^[ \t-]*["']?uses["']?[ \t]*:[ \t]*(.*?)[ \t]*$/gm)].map(
    ([, used = '']) => used,
  );
}

function findUnpinned(text: string): string[] {
  return findUses(text).filter((used) => !pinned.test(used));
}

describe('the actions of workflows', () => {
  it.each(workflows)('are pinned by commit, with their version: $file', ({ text }) => {
    expect(findUses(text).length).toBeGreaterThan(0);
    expect(findUnpinned(text)).toEqual([]);
  });

  it('have one commit each', () => {
    const uses = workflows.flatMap(({ text }) => findUses(text));
    const commits = Map.groupBy(new Set(uses), (used) => used.split('@')[0]?.split('/', 2).join());
    expect([...commits.values()].map((group) => new Set(group.map(versionOf)).size)).toEqual(
      [...commits].map(() => 1),
    );
  });

  const commit = 'de0fac2e4500dabe0009e67214ff5f5447ce83dd';
  it.each([
    'actions/checkout@v6',
    'actions/checkout@main',
    `actions/checkout@${commit}`,
    `actions/checkout@${commit.slice(1)} # v6.0.2`,
    `actions/checkout@${commit} # v6`,
    './.github/actions/own',
    'docker://alpine:3',
    `"actions/checkout@v6" # ${commit}`,
  ])('are refused if not pinned: %s', (used) => {
    expect(findUnpinned(`    steps:\n      - uses: ${used}\n`)).toEqual([used]);
    expect(findUnpinned(`      - name: x\n        "uses" : ${used}  \n`)).toEqual([used]);
  });
});

function versionOf(used: string): string | undefined {
  return used.split('@')[1];
}
