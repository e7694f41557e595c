import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { findCircles } from './architecture/find-circles.ts';
import {
  findEnvironmentReaders,
  findHandWrittenUpdates,
  findKeyBuilders,
  findMissingFiles,
  findSharedKeys,
  findUncheckedTypes,
  findVagueNames,
  findWrongImports,
  listKeyPrefixes,
} from './architecture/rules.ts';
import { importsOf, readSources, roomOf } from './architecture/source-files.ts';

const sources = readSources(
  'lib',
  'functions',
  'local',
  'infra',
  'tools',
  'bench',
  'client',
  'console',
);
const everything = [...sources, ...readSources('test')];

/** A wrong file, to show that a rule can fail. */
function wrong(path: string, text = '') {
  return [{ path, text }];
}

describe('the sources', () => {
  it('are read', () => {
    const paths = sources.map(({ path }) => path);
    expect(paths).toContain('lib/table/keys.ts');
    expect(paths).toContain('functions/jobs/submit-job.ts');
    expect(paths).toContain('local/gateway/build-event.ts');
    expect(paths).toContain('console/src/start.tsx');
  });

  it.each([
    { text: "import { a } from '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "import type { A } from '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "import {\n  a,\n  type B,\n} from '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "export { a } from '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "export * from '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "import '../jobs/job.ts';", imported: 'lib/jobs/job.ts' },
    { text: "type A = import('../jobs/job.ts').A;", imported: 'lib/jobs/job.ts' },
    { text: "await import('../jobs/job.ts');", imported: 'lib/jobs/job.ts' },
    { text: "require('../../local/x.ts');", imported: 'local/x.ts' },
    { text: 'import a from "@aws-sdk/lib-dynamodb";', imported: '@aws-sdk/lib-dynamodb' },
  ])('show the import of $text', ({ text, imported }) => {
    expect(importsOf({ path: 'lib/table/x.ts', text })).toEqual([imported]);
  });

  it('show no import of a comment', () => {
    const text = "/**\n * from '../http/x.ts'\n */\nconst a = 1; // from '../http/x.ts'";
    expect(importsOf({ path: 'lib/table/x.ts', text })).toEqual([]);
  });
});

describe('imports run one way', () => {
  it('in every file', () => {
    expect(findWrongImports(sources)).toEqual([]);
  });

  it.each([
    { path: 'functions/x.ts', to: '../local/issuer.ts' },
    { path: 'functions/jobs/x.ts', to: '../../test/fixtures/zip.ts' },
    { path: 'functions/x.ts', to: '@aws-sdk/lib-dynamodb' },
    { path: 'lib/http/x.ts', to: '../../functions/routes.ts' },
    { path: 'lib/http/x.ts', to: '../../local/settings.ts' },
    { path: 'lib/x.ts', to: '../infra/config.ts' },
    { path: 'lib/x.ts', to: '../test/x.ts' },
    { path: 'lib/jobs/x.ts', to: '../http/errors.ts' },
    { path: 'lib/jobs/x.ts', to: '../config.ts' },
    { path: 'lib/quotas/x.ts', to: '../http/errors.ts' },
    { path: 'lib/quotas/x.ts', to: '../config.ts' },
    { path: 'lib/table/x.ts', to: '../jobs/job.ts' },
    { path: 'lib/table/x.ts', to: '../quotas/quota.ts' },
    { path: 'lib/catalog/x.ts', to: '../http/route.ts' },
    { path: 'lib/catalog/x.ts', to: '../config.ts' },
    { path: 'local/x.ts', to: '../test/x.ts' },
    { path: 'console/src/x.tsx', to: '#lib/jobs/job.ts' },
    { path: 'console/src/jobs/x.ts', to: 'node:fs' },
    { path: 'console/src/x.ts', to: '#client/src/node/index.ts' },
    { path: 'client/src/x.ts', to: '../../lib/jobs/job.ts' },
  ])('and $path may not import $to, not even its types', ({ path, to }) => {
    for (const kind of ['import', 'import type']) {
      const file = wrong(path, `${kind} { a } from '${to}';`);
      expect(findWrongImports(file)).toHaveLength(1);
    }
  });
});

describe('imports never run in a circle', () => {
  const fileOf = (path: string) => path;
  const areaOf = (path: string) => /^lib\/[\w-]+/.exec(path)?.[0];

  it('between files', () => {
    expect(findCircles(sources, fileOf)).toEqual([]);
    const circle = [
      ...wrong('lib/jobs/a.ts', "import type { B } from './b.ts';"),
      ...wrong('lib/jobs/b.ts', "import { c } from '#lib/jobs/c.ts';"),
      ...wrong('lib/jobs/c.ts', "import { a } from './a.ts';"),
      ...wrong('lib/jobs/d.ts', "import { a } from './a.ts';"),
    ];
    expect(findCircles(circle, fileOf)).toEqual(['lib/jobs/a.ts, lib/jobs/b.ts, lib/jobs/c.ts']);
    expect(findCircles(circle.slice(1), fileOf)).toEqual([]);
  });

  it('between rooms, not even with the one around them', () => {
    expect(findCircles(sources, roomOf)).toEqual([]);
    const circle = [
      ...wrong('lib/jobs/a.ts', "import { b } from './run/b.ts';"),
      ...wrong('lib/jobs/run/b.ts', "import { c } from '../read/c.ts';"),
      ...wrong('lib/jobs/read/c.ts', "import type { D } from '../d.ts';"),
      ...wrong('lib/jobs/cancel/e.ts', "import { a } from '../a.ts';"),
    ];
    expect(findCircles(circle, roomOf)).toEqual(['lib/jobs, lib/jobs/read, lib/jobs/run']);
    expect(findCircles(circle, fileOf)).toEqual([]);
  });

  it('between areas of lib', () => {
    expect(findCircles(sources, areaOf)).toEqual([]);
    const circle = [
      ...wrong('lib/jobs/a.ts', "import type { B } from '../quotas/b.ts';"),
      ...wrong('lib/quotas/holds/b.ts', "import { c } from '#lib/table/c.ts';"),
      ...wrong('lib/table/c.ts', "import { a } from '../jobs/read/a.ts';"),
      ...wrong('lib/http/d.ts', "import { a } from '../jobs/a.ts';"),
    ];
    expect(findCircles(circle, areaOf)).toEqual(['lib/jobs, lib/quotas, lib/table']);
    expect(findCircles(circle, roomOf)).toEqual([]);
  });
});

describe('the environment', () => {
  it('is read in one place', () => {
    expect(findEnvironmentReaders(sources)).toEqual([]);
  });

  it.each([
    'const a = process.env.A;',
    "const a = process['env'].A;",
    'const { env } = process;',
    "import { env } from 'node:process';",
  ])('is found in %j', (text) => {
    expect(findEnvironmentReaders(wrong('lib/jobs/x.ts', text))).toHaveLength(1);
    expect(findEnvironmentReaders(wrong('lib/config.ts', text))).toEqual([]);
  });
});

describe('keys of the table', () => {
  const prefixes = listKeyPrefixes(sources);

  it('are built in one file', () => {
    expect(prefixes).toEqual(
      expect.arrayContaining(['USER#', 'JOB#', 'QUOTA#', 'LEDGER#', 'DUE#']),
    );
    expect(findKeyBuilders(sources, prefixes)).toEqual([]);
  });

  it.each(["const a = 'USER#1';", 'const a = `JOB#a`;', 'f("QUOTA#")'])(
    'are found in %j',
    (text) => {
      expect(findKeyBuilders(wrong('lib/jobs/x.ts', text), prefixes)).toHaveLength(1);
    },
  );
});

describe('names', () => {
  it('say what is in a file', () => {
    expect(findVagueNames(everything)).toEqual([]);
  });

  it.each([
    'lib/utils/a.ts',
    'lib/utils.ts',
    'lib/helpers.ts',
    'local/common/a.ts',
    'lib/jobs/job-manager.ts',
    'test/helpers/a.ts',
  ])('and %s does not', (path) => {
    expect(findVagueNames(wrong(path))).toEqual([path]);
  });
});

describe('types', () => {
  it('are checked everywhere', () => {
    expect(findUncheckedTypes(sources)).toEqual([]);
  });

  it.each([
    'let a: any;',
    'const a = b as any;',
    'const a: any[] = [];',
    'const a = new Map<string, any>();',
    'type A = string | any;',
    'function f(a: any, b: string) {}',
    '// @ts-ignore\nf(1);',
    '// @ts-nocheck',
  ])('are not in %j', (text) => {
    expect(findUncheckedTypes(wrong('lib/x.ts', text))).toHaveLength(1);
  });

  it.each(["const a = 'in any form';", '/** any of them: any */\nlet a: Many;', '// as any\nf();'])(
    'are in %j',
    (text) => {
      expect(findUncheckedTypes(wrong('lib/x.ts', text))).toEqual([]);
    },
  );
});

describe('a function', () => {
  it('is there for every route and every schedule', () => {
    expect(findMissingFiles(sources, routes)).toEqual([]);
    expect(findMissingFiles(sources, schedules)).toEqual([]);
    expect(findMissingFiles(sources, { lost: { file: 'jobs/lost' } })).toEqual([
      'lost: functions/jobs/lost.ts',
    ]);
  });

  it('has keys at the gateway that no other has', () => {
    expect(findSharedKeys(routes)).toEqual([]);
    const route: Route = {
      method: 'GET',
      paths: { a: '/jobs/', b: '/jobs/{hpc}/' },
      access: 'caller',
      file: 'a',
    };
    const other: Route = { ...route, paths: { a: '/jobs/[{hpc}/]', b: '/jobs/{hpc}/b/' } };
    expect(findSharedKeys({ route, other })).toEqual([
      'GET /jobs',
      'GET /jobs/{proxy+}',
      'HEAD /jobs',
      'HEAD /jobs/{proxy+}',
    ]);
    expect(findSharedKeys({ route, other: { ...other, method: 'POST' } })).toEqual([]);
  });
});

describe('updates of items', () => {
  it('are written by lib/table alone', () => {
    expect(findHandWrittenUpdates(sources)).toEqual([]);
    const text = "send({ UpdateExpression: 'SET a = :b' });";
    expect(findHandWrittenUpdates(wrong('lib/quotas/holds.ts', text))).toHaveLength(1);
    expect(findHandWrittenUpdates(wrong('lib/table/change.ts', text))).toEqual([]);
  });
});

describe('the map in docs/development.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/development.md'), 'utf8');
  const rows = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...cells]) => cells);
  const rooms = rows(/^\| lib\/([\w-]+) \| [^|]+ \| ([^|]*)\|$/gm);
  const basic = /basic ones: ([^.]+)\./.exec(page)?.[1]?.split(/, | and /) ?? [];
  const foldersOf = (place: string) =>
    readdirSync(join(import.meta.dirname, '../..', place), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

  it('has every room of lib', () => {
    expect(rooms.map(([room]) => room)).toEqual(foldersOf('lib').sort());
    expect(basic).toHaveLength(10);
  });

  it('has every folder with sources', () => {
    const named = rows(/^\| ([\w-]+)\/ \| [^|]+ \| [^|]+\|$/gm).map(([folder]) => folder);
    const there = new Set(everything.map(({ path }) => path.split('/')[0]));
    expect(named.filter((name) => name !== 'python').sort()).toEqual([...there].sort());
  });

  it('has every room of the client, and the rooms in them', () => {
    const shown = rows(/^\| client\/src\/([\w-]+) \| ([^|]+) \|$/gm);
    const there = foldersOf('client/src').filter((room) => room !== 'generated');
    expect(shown.map(([room]) => room)).toEqual(there.sort());
    for (const [room, holds = ''] of shown) {
      const named = holds.split(/[^\w-]+/);
      expect(named).toEqual(expect.arrayContaining(foldersOf(`client/src/${room}`)));
    }
  });

  it('says what each room knows', () => {
    for (const [room = '', known = ''] of rooms) {
      if (known.trim() === 'all rooms') continue;
      const own = sources.filter(({ path }) => path.startsWith(`lib/${room}/`));
      const found = own
        .flatMap(importsOf)
        .flatMap((imported) => /^lib\/([\w-]+)\//.exec(imported)?.[1] ?? [])
        .filter((other) => other !== room && (basic.includes(room) || !basic.includes(other)));
      expect(`${room}: ${[...new Set(found)].sort().join(', ')}`).toBe(`${room}: ${known.trim()}`);
    }
  });
});
