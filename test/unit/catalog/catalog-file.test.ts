import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  InvalidCatalogError,
  parseCatalog,
  readCatalog,
  shippedCatalog,
} from '#lib/catalog/file/read-catalog.ts';
import { brokenCatalogs, editCatalog } from '#test/fixtures/broken-catalogs.ts';
import { catalog, catalogFile } from '#test/fixtures/catalog.ts';
import { findProblems } from '#test/fixtures/json-schema.ts';
import { buildJsonSchema } from '#tools/catalog/build-json-schema.ts';

function linesOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidCatalogError) return error.lines;
    throw error;
  }
  return [];
}

describe('a catalog', () => {
  it.each(brokenCatalogs)('that $kind is refused, with every mistake', ({ text, lines }) => {
    expect(linesOf(() => parseCatalog(text, 'centre.json'))).toEqual(
      lines.map((line) => `centre.json${line}`),
    );
  });

  it('may have comments, also in front, and addresses that look like some', () => {
    const text = editCatalog(
      ['{\n', '// ours\n{\n'],
      ['"A batch scheduler', '/* a comment, "quoted" */ "A // batch /* scheduler */'],
    );
    expect(parseCatalog(text, 'centre.json').systems[0]?.description).toMatch(
      'A // batch /* scheduler */',
    );
  });

  it('that is not there is named, with where it was looked for', () => {
    expect(linesOf(() => readCatalog('centre.json'))).toEqual([
      `centre.json: there is no such file (looked for ${join(process.cwd(), 'centre.json')})`,
    ]);
    expect(linesOf(() => readCatalog('test'))).toEqual([
      `test: it cannot be read (EISDIR) (looked for ${join(process.cwd(), 'test')})`,
    ]);
  });

  it('gives each of its projects the name of its system', () => {
    const projects = catalog.systems.flatMap((system) => system.projects);
    expect(projects.map(({ hpc, name, number }) => [hpc, name, number])).toEqual([
      ['hpc_one', 'proj_hpc_one_01', 1],
      ['hpc_two', 'proj_hpc_two_01', 2],
      ['hpc_two', 'proj_hpc_two_02', 3],
    ]);
  });
});

describe('a welcome quota that renews', () => {
  const renewing = (rule: string) =>
    parseCatalog(
      editCatalog(['"kilobytes": 10000000 }', `"kilobytes": 10000000, "renews": ${rule} }`]),
      'centre.json',
    ).systems[0]?.welcomeQuota.renews;

  it('begins in January and carries nothing over, unless it is said', () => {
    const to = { seconds: 3600, kilobytes: 10 };
    const amount = JSON.stringify(to);
    expect(renewing(`{ "every": "yearly", "on": 1, "to": ${amount} }`)).toEqual({
      every: 'yearly',
      on: 1,
      month: 1,
      to,
      carryOver: { seconds: 0, kilobytes: 0 },
    });
    expect(
      renewing(
        `{ "every": "quarterly", "on": 28, "month": 2, "to": ${amount}, "carryOver": ${amount} }`,
      ),
    ).toEqual({ every: 'quarterly', on: 28, month: 2, to, carryOver: to });
  });
});

describe('the catalog that ships', () => {
  it('is right in itself', () => {
    expect(() => readCatalog(shippedCatalog)).not.toThrow();
  });
});

describe('docs/catalog.md', () => {
  const page = readFileSync('docs/catalog.md', 'utf8');

  it('shows a third system that can be added as it stands', () => {
    const [, entry = ''] = page.match(/```json\n([\s\S]*?)```/) ?? [];
    const text = editCatalog(['"systems": [', `"systems": [${entry},`]);
    expect(parseCatalog(text, 'centre.json').systems).toMatchObject([
      { name: 'mahti', connector: { kind: 'slurm' } },
      { name: 'hpc_one' },
      { name: 'hpc_two' },
    ]);
  });

  it('says of every field what it is', () => {
    const { properties } = buildJsonSchema();
    const [systems] = Object.values(properties ?? {}).flatMap((each) => Object(each).items ?? []);
    const fields = Object.keys(systems.properties);
    expect(fields).toContain('welcomeQuota');
    expect(fields.filter((field) => !page.includes(`| \`${field}\` |`))).toEqual([]);
  });
});

describe('docs/catalog.schema.json', () => {
  const schema = JSON.parse(readFileSync('docs/catalog.schema.json', 'utf8'));
  const problemsOf = (text: string) => findProblems(new Map(), schema, JSON.parse(text));

  it('is up to date: npm run catalog:schema writes it', () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(buildJsonSchema())));
  });

  it('accepts a catalog', () => {
    expect(problemsOf(readFileSync(catalogFile, 'utf8'))).toEqual([]);
  });

  it.each(brokenCatalogs.filter(({ inEditors }) => inEditors))(
    'refuses one that $kind',
    ({ text }) => {
      expect(problemsOf(text)).not.toEqual([]);
    },
  );
});
