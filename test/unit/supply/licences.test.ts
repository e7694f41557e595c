import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** These ask for no more than that their text goes along, so bundles may contain them. */
const permissive = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0'],
  ...['ISC', 'MIT', 'MIT-0', 'Unlicense'],
];

/** These are allowed for tools that are never handed on. */
const forTools = ['CC-BY-4.0', 'MPL-2.0', 'PSF-2.0'];

/** Packages whose manifest names no licence in today's form, and where it is written instead. */
const written: Readonly<Record<string, { licence: string; file: string; words: RegExp }>> = {
  'ssh2@1.17.0': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'cpu-features@0.0.10': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'buildcheck@0.0.7': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'busboy@0.3.1': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'dicer@0.3.0': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'streamsearch@0.1.2': { licence: 'MIT', file: 'package.json', words: /"type": "MIT"/ },
  'humanize-number@0.0.2': { licence: 'MIT', file: 'Readme.md', words: /## License\s+MIT/ },
  'only@0.0.2': { licence: 'MIT', file: 'Readme.md', words: /\(The MIT License\)/ },
};

/** True if all licences that an SPDX expression demands, or one of those it offers, are allowed. */
function isAllowed(expression: string, list: readonly string[]): boolean {
  const words = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(words)) return false;
  return words
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((id) => list.includes(id.trim())));
}

const packages = ['package-lock.json', 'test/lambda/runtime/package-lock.json'].flatMap((file) => {
  const { packages: locked }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return Object.entries(locked)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version, license, dev = false }]) => {
      const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
      return { path, name, licence: license ?? written[name]?.licence, dev };
    });
});

describe('the licences of all dependencies', () => {
  it('are known and allowed', () => {
    expect(packages.length).toBeGreaterThan(500);
    const refused = packages.filter(
      ({ licence }) => !isAllowed(licence ?? 'none', [...permissive, ...forTools]),
    );
    expect(refused.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  it('are permissive where the service itself needs the package', () => {
    const refused = packages.filter(
      ({ dev, licence }) => !dev && !isAllowed(licence ?? 'none', permissive),
    );
    expect(refused.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  it.each(Object.entries(written))('are written elsewhere: %s', (name, { file, words }) => {
    const found = packages.find((each) => each.name === name);
    expect(found).toBeDefined();
    const path = join(found?.path ?? '', file);
    if (existsSync(path)) expect(readFileSync(path, 'utf8')).toMatch(words);
  });

  it('are the same in the review of pull requests', () => {
    const workflow = readFileSync('.github/workflows/dependency-review.yml', 'utf8');
    const [, list = ''] = /allow-licenses: >-\n((?: {12}.*\n)+)/.exec(workflow) ?? [];
    const reviewed = list.split(',').map((id) => id.trim());
    expect(reviewed.toSorted()).toEqual([...permissive, ...forTools].toSorted());
  });

  it.each([
    { expression: 'MIT', allowed: true },
    { expression: '(MIT OR GPL-3.0-or-later)', allowed: true },
    { expression: 'MIT AND Apache-2.0', allowed: true },
    { expression: 'GPL-3.0-only', allowed: false },
    { expression: 'MIT AND GPL-3.0-only', allowed: false },
    { expression: 'MPL-2.0', allowed: false },
    { expression: 'SEE LICENSE IN LICENSE.md', allowed: false },
    { expression: 'UNLICENSED', allowed: false },
    { expression: '', allowed: false },
  ])('$expression in a bundle: $allowed', ({ expression, allowed }) => {
    expect(isAllowed(expression, permissive)).toBe(allowed);
  });
});
