import { describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { parseHeader, refused } from '#test/fixtures/payloads.ts';

const closed = findSystem(catalog, 'hpc_one');
const system = { ...closed, inputs: { hosts: ['data.example.org'] } };
const wanted = { from: 'https://data.example.org/a.nc', to: 'data/a.nc' };

function parse(inputs: unknown, at = system as typeof closed) {
  const base = { command: 'true', node_number: 1, core_number: 8, runtime: 1 };
  return parseHeader(at, JSON.stringify({ ...base, inputs }));
}

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
