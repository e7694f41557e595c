import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, findDeadLinks, leadsTo, linksOf, readPages } from './documentation/pages.ts';

const pages = readPages();

describe('links in all pages', () => {
  it('lead to a file or heading that exists', () => {
    expect(findDeadLinks(pages)).toEqual([]);
  });

  it.each([
    '[x](missing.md)',
    '[x](#nothing-of-it)',
    '[x](glossary.md#missing)',
    '![x](pictures/missing.png)',
    '<img src="missing.png">',
  ])('are reported if they are dead: %s', (text) => {
    expect(findDeadLinks([...pages, { path: 'docs/new.md', text }])).toHaveLength(1);
  });

  it('are ignored in code and on other sites', () => {
    const text = '`[x](a.md)`\n```sh\n[x](b.md)\n```\n[x](https://example.org) [y](c.md#d)';
    expect(linksOf({ path: 'docs/new.md', text })).toEqual([
      { written: 'c.md#d', path: 'docs/c.md', anchor: 'd' },
    ]);
  });

  it('use the anchors that GitHub gives to headings', () => {
    const text =
      '# A `b`, and c\n## 3.5 Files: `GET /x/{y_z}/`\n## The end\n## The end\n<a id="mark"></a>x';
    expect(anchorsOf({ path: 'x.md', text })).toEqual([
      'a-b-and-c',
      '35-files-get-xy_z',
      'the-end',
      'the-end-1',
      'mark',
    ]);
  });
});

describe('docs/README.md', () => {
  const start = pages.filter(({ path }) => path === 'docs/README.md');
  const near = start.flatMap(leadsTo);
  const far = pages.filter(({ path }) => near.includes(path)).flatMap(leadsTo);

  it('leads to every page in at most two steps', () => {
    const reached = new Set(['docs/README.md', ...near, ...far]);
    const lost = pages.filter(({ path }) => path.startsWith('docs/') && !reached.has(path));
    expect(lost.map(({ path }) => path)).toEqual([]);
  });
});

describe('docs/pictures', () => {
  it('holds only pictures that a page shows', () => {
    const shown = new Set(pages.flatMap(linksOf).map(({ path }) => path));
    const kept = readdirSync('docs/pictures').map((file) => posix.join('docs/pictures', file));
    expect(kept.filter((path) => !shown.has(path))).toEqual([]);
  });
});
