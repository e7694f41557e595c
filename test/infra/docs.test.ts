import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames } from '#infra/settings/config.ts';
import { synthesize, withConsolePages, withDomain } from './synthesize.ts';

const pages = ['docs/deploy.md', 'docs/runbook.md', 'docs/restore.md'];
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));

describe.each([...texts])('%s', (page, text) => {
  const blocks = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , block]) => block!);

  it('has commands that a shell can read', () => {
    expect(blocks.length).toBeGreaterThan(5);
    for (const block of blocks) {
      const { stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
      expect(stderr, block).toBe('');
    }
  });

  it('names only settings that exist', () => {
    const named = [...text.matchAll(/-c (\w+)=/g)].map(([, name]) => name!);
    expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  it('names only outputs that exist', () => {
    const {
      data,
      service,
      console: pages,
    } = synthesize({
      ...withDomain,
      ...withConsolePages,
    });
    const outputs = { ...data.Outputs, ...service.Outputs, ...pages?.Outputs };
    const named = [...text.matchAll(/output (?:data|service|console) (\w+)/g)].map(
      ([, name]) => name!,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in outputs))).toEqual([]);
  });

  it('links only to what is there', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https:)([^)]+)\)/g)) {
      const [file, anchor] = target.split('#');
      const path = file ? join('docs', file) : page;
      expect(existsSync(path), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(path), target).toContain(anchor);
    }
  });
});

it('says in docs/deploy.md what every setting does', () => {
  const table = texts.get('docs/deploy.md')?.match(/^\| setting [\s\S]*?\n\n/m)?.[0] ?? '';
  expect(settingNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

/** As GitHub makes them: lower case, no signs, dashes for spaces. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
