import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { lambdaOf } from './functions-of.ts';
import { centre, synthesize, type TemplateJson } from './synthesize.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-systems-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface CatalogFile {
  readonly systems: readonly { readonly name: string }[];
}

const { systems: all }: CatalogFile = JSON.parse(readFileSync(String(centre.catalog), 'utf8'));
const [first, second] = all;
const { systems: simulated }: CatalogFile = JSON.parse(readFileSync(catalogFile, 'utf8'));
const before = synthesize(centre);

/**
 * `cdk deploy --all` changes the data stack first, while the service is as it was. What that one
 * imports must then still be exported, and with the same value: CloudFormation refuses the rest.
 */
describe.each([
  { change: 'a system is removed', systems: [first!] },
  { change: 'a system is renamed', systems: [first!, { ...second!, name: 'hpc_three' }] },
  { change: 'no system is left that needs credentials', systems: simulated },
])('when $change', ({ change, systems }) => {
  const after = synthesize({ ...centre, catalog: write(change, { systems }) });

  it('the data stack goes on exporting what the deployed service imports', () => {
    expect(exportsOf(before.data)).toMatchObject(importsOf(before.service, before.data));
    expect(exportsOf(after.data)).toMatchObject(importsOf(before.service, before.data));
  });

  it('the service imports nothing that was not there before', () => {
    expect(Object.keys(exportsOf(before.data))).toEqual(
      expect.arrayContaining(Object.keys(importsOf(after.service, after.data))),
    );
  });

  it('its functions read the credentials of the systems that there are', () => {
    const [parameter] = Object.values(after.data.Resources).filter(
      ({ Type }) => Type === 'AWS::SSM::Parameter',
    );
    const value = JSON.stringify(parameter?.Properties.Value);
    const real = systems.filter((system) => !simulated.includes(system));
    for (const { name } of real) expect(value).toContain(name);
    expect(value.match(/"Ref"/g) ?? []).toHaveLength(real.length);
  });
});

it('names no system of the catalog in an environment, and none of their secrets', () => {
  const { Environment } = lambdaOf(before, 'track-jobs').Properties;
  expect(JSON.stringify(Environment)).toContain('{{resolve:ssm:');
  expect(JSON.stringify(Environment)).not.toMatch(/hpc_?one|hpc_?two/);
});

function write(name: string, content: CatalogFile): string {
  const file = join(directory, `${name.replaceAll(' ', '-')}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function exportsOf({ Outputs = {} }: TemplateJson): Record<string, unknown> {
  const named = Object.values(Outputs).flatMap(({ Export, Value }) =>
    Export ? [[Export.Name, Value]] : [],
  );
  return Object.fromEntries(named);
}

/** What a template imports, with the values that the other stack has for it. */
function importsOf(template: TemplateJson, data: TemplateJson): Record<string, unknown> {
  const names = [...JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g)];
  const exported = exportsOf(data);
  expect(names.length).toBeGreaterThan(0);
  return Object.fromEntries(names.map(([, name = '']) => [name, exported[name]]));
}
