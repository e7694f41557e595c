import { afterEach, describe, expect, it, vi } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { parseHeader, refused } from '#test/fixtures/payloads.ts';

const closed = findSystem(catalog, 'hpc_one');
const system = { ...closed, inputs: { hosts: ['data.example.org'] } };
const wanted = { from: 'https://data.example.org/a.nc', to: 'data/a.nc' };

function parse(inputs: unknown, at = system as typeof closed) {
  return parseFields({ inputs }, at);
}

function parseFields(fields: object, at: typeof closed) {
  const base = { command: 'true', node_number: 1, core_number: 8, runtime: 1 };
  return parseHeader(at, JSON.stringify({ ...base, ...fields }));
}

afterEach(() => vi.unstubAllEnvs());

describe('inputs by address', () => {
  it('are taken as they are named, and none is nothing', () => {
    expect(parse([wanted]).payload?.fetches).toEqual([wanted]);
    expect(parse([]).payload).not.toHaveProperty('fetches');
  });

  it('are unknown where the catalog allows no host', () => {
    expect(parse([wanted], closed).problems[0]?.message).toContain('Unknown field on hpc_one.');
  });

  it('are refused by place', () => {
    expect(parse([wanted, { ...wanted, to: '/etc/a' }])).toEqual(
      refused('inputs.1.to', 'It must be a path within the folder of the job, such as data/a.nc.'),
    );
  });

  it.each([{}, 'https://data.example.org/a', [1], [{ to: 'a' }], [{ ...wanted, sha265: 'a' }]])(
    'are refused if they are %j',
    (inputs) => {
      expect(parse(inputs).problems[0]?.message).toContain('It must be a list of { "from":');
    },
  );

  it('are at most a hundred', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ from: 'a', to: String(at) }));
    expect(parse(many)).toEqual(refused('inputs', 'It names 101, but at most 100 are allowed.'));
  });
});

describe('outputs by address', () => {
  const open = { ...closed, outputs: { hosts: ['store.example.org'] } };
  const sent = { files: 'a.nc', to: 'https://store.example.org/a.nc' };

  it('are taken as they are named, and none is nothing', () => {
    expect(parseFields({ outputs: [sent] }, open).payload?.sends).toEqual([sent]);
    expect(parseFields({ outputs: [] }, open).payload).not.toHaveProperty('sends');
  });

  it('are unknown where the catalog allows none', () => {
    expect(parseFields({ outputs: [sent] }, closed).problems[0]?.message).toContain(
      'Unknown field on hpc_one.',
    );
  });

  it('are refused by place, by form and if they are too many', () => {
    const wrong = { ...sent, files: '../a' };
    expect(parseFields({ outputs: [sent, wrong] }, open)).toEqual(
      refused(
        'outputs.1.files',
        'It must be a path within the folder of the job, such as results/**/*.nc.',
      ),
    );
    expect(parseFields({ outputs: [{ ...sent, when: 'always' }] }, open).problems[0]?.message).toBe(
      'It must be a list of { "files": "results/*.nc", "to": "s3://bucket/folder/" }.',
    );
    expect(parseFields({ outputs: Array(21).fill(sent) }, open)).toEqual(
      refused('outputs', 'It names 21, but at most 20 are allowed.'),
    );
  });
});

describe('objects in buckets', () => {
  const buckets = [{ name: 'lab-data', region: 'eu-central-1' }];
  const open = { ...closed, inputs: { hosts: [], buckets }, outputs: { hosts: [], buckets } };
  const inputs = [{ from: 's3://lab-data/a.nc', to: 'a.nc' }];
  const outputs = [{ files: 'b.nc', to: 's3://lab-data/b/' }];

  it('are refused by a service without credentials for them', () => {
    const { problems } = parseFields({ inputs, outputs }, open);
    expect(problems.map(({ name }) => name)).toEqual(['inputs.0.from', 'outputs.0.to']);
    expect(problems[0]?.message).toBe(
      'This service has no credentials for buckets. Its operator sets BUCKETS_ACCESS_KEY_ID and BUCKETS_SECRET_ACCESS_KEY.',
    );
  });

  it.each([
    { BUCKETS_ACCESS_KEY_ID: 'a', BUCKETS_SECRET_ACCESS_KEY: 'b' },
    { AWS_LAMBDA_FUNCTION_NAME: 'f', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
  ])('are accepted with %j', (environment) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(parseFields({ inputs, outputs }, open).payload).toMatchObject({
      fetches: inputs,
      sends: outputs,
    });
  });
});
