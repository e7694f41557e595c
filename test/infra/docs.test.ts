import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames } from '#infra/settings/config.ts';
import { centre, production, synthesize, withConsolePages, withDomain } from './synthesize.ts';

const pages = [
  'docs/deploy.md',
  'docs/settings.md',
  'docs/first-deployment.md',
  'docs/runbook.md',
  'docs/restore.md',
];
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
const functions = readFileSync('docs/runbook.sh', 'utf8');

describe.each([...texts])('%s', (page, text) => {
  const written = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)];
  const blocks = [functions, ...written.map(([, , block]) => block!)];

  it('has commands that a shell can read', () => {
    expect(written.length).toBeGreaterThan(5);
    for (const block of blocks) {
      const { stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
      expect(stderr, block).toBe('');
    }
  });

  it('runs only commands that deploy.md asks for, or that every Unix has', () => {
    const needed = /^\| tool [\s\S]*?\n\n/m.exec(texts.get('docs/deploy.md') ?? '')?.[0] ?? '';
    const tools = [...needed.matchAll(/`([\w-]+)`/g)].map(([, tool]) => tool!);
    const defined = [functions, ...texts.values()].flatMap((each) =>
      [...each.matchAll(/^ *(\w+)\(\) \{/gm)].map(([, name]) => name!),
    );
    const known = new Set([...tools, ...defined, ...everyUnix.split(' ')]);
    expect(new Set(blocks.flatMap(listCommands)).difference(known)).toEqual(new Set());
  });

  it('uses no options that GNU alone has', () => {
    const ofGnu = /\bdate (-u )?-d\b|\bsed -i\b|\bgrep -\w*P|\bstat -c\b|\bbase64 -w|\breadlink -f/;
    expect(blocks.filter((block) => ofGnu.test(block))).toEqual([]);
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
      ...production,
      ...centre,
      ...withDomain,
      ...withConsolePages,
      dashboard: 'true',
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

it('says in docs/settings.md what every setting does', () => {
  const table = texts.get('docs/settings.md')?.match(/^\| setting [\s\S]*?\n\n/m)?.[0] ?? '';
  expect(settingNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

/** What bash brings along, and what POSIX asks of every system. */
const everyUnix =
  'break cat cd continue cp cut date do done echo else exit export false fi for grep head if local ' +
  'printf read return rm seq sleep sort tee test then true uniq until wait wc while xargs awk';

/** The first word of each command: after the start of a line, a pipe, a bracket or a keyword. */
function listCommands(block: string): string[] {
  const oneLine = block
    .replaceAll(/(^|\s)#.*$/gm, '')
    .replaceAll(/\\\n|\$\(\(.*?\)\)|\{\w+(,\w+)+\}/g, ' ');
  const [text, inner] = takeOut(oneLine.replaceAll(/'[^']*'/g, '_'));
  const start =
    /(?:^|[|;&({!]|\b(?:do|then|else|if|while|until)\b)\s*(?:\w+=\S*[ \t]+)*([a-z][\w-]*)(?![\w-]*[=()])/gm;
  const outer = [...text.replaceAll(/"[^"]*"/g, '_').matchAll(start)].map(
    ([, command]) => command!,
  );
  return [...outer, ...inner.flatMap(listCommands)];
}

/** A text without its `$(...)`, and what was in them: that may be within quotes. */
function takeOut(text: string): [string, string[]] {
  const begin = /\$\((?!\()/.exec(text)?.index;
  if (begin === undefined) return [text, []];
  let depth = 0;
  const end = [...text].findIndex((sign, index) => {
    if (index <= begin) return false;
    depth += Number(sign === '(') - Number(sign === ')');
    return depth === 0;
  });
  const [rest, others] = takeOut(`${text.slice(0, begin)}_${text.slice(end + 1)}`);
  return [rest, [text.slice(begin + 2, end), ...others]];
}

/** As GitHub makes them: lower case, no signs, dashes for spaces. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
