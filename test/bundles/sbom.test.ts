import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { readPackage } from '#infra/constructs/functions/third-party.ts';
import { completeSbom, listComponents } from '#tools/bundles/write-sbom.ts';

it('the SBOM follows the schema of CycloneDX, and says what bundles contain', () => {
  const sbom = completeSbom(listComponents(), {
    functions: [readPackage('node_modules/valibot')],
    client: [readPackage('node_modules/valibot')],
  });
  const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync('test/fixtures/cyclonedx-1.5.schema.json', 'utf8'));
  const validate = ajv.compile(schema);
  expect(validate(sbom), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...sbom, components: [{ name: 'x', type: 'thing' }] })).toBe(false);

  expect(sbom.metadata.component.name).toBe('slipway');
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const locked = Object.keys(lock.packages)
    .filter((path) => path.startsWith('node_modules/'))
    .map((path) => path.split('node_modules/').at(-1) ?? '')
    // npm calls the project's own package by its folder.
    .filter((name) => name !== 'slipway-hpc');
  const names = new Set(sbom.components.map(({ name }) => name));
  expect(new Set(locked).difference(names)).toEqual(new Set());
  const valibot = sbom.components.find(({ name }) => name === 'valibot');
  expect(valibot?.properties?.filter(({ name }) => name === 'slipway:bundled-in')).toEqual([
    { name: 'slipway:bundled-in', value: 'functions' },
    { name: 'slipway:bundled-in', value: 'client' },
  ]);
});
