import { describe, expect, it } from 'vitest';
import { fetchingOf, judgeInputs, mayCall } from '#lib/catalog/input-addresses.ts';
import { hostileAddresses } from '#test/fixtures/hostile-addresses.ts';

const hosts = ['data.example.org', '*.archive.org', 'other.org:8443', 'http://127.0.0.1:8080'];
const from = 'https://data.example.org/a.nc';
const fieldsOf = (...files: Parameters<typeof judgeInputs>[1][number][]) =>
  judgeInputs({ inputs: { hosts } }, files).map(({ field }) => field);

describe('an address', () => {
  it.each([
    from,
    'HTTPS://DATA.EXAMPLE.ORG:443/a',
    'https://a.b.archive.org/a',
    'https://other.org:8443/a',
    'http://127.0.0.1:8080/a',
    // The parser reads this number as 127.0.0.1, which the catalog names with this port.
    'http://2130706433:8080/a',
  ])('may be %s', (address) => {
    expect(fieldsOf({ from: address, to: 'a' })).toEqual([]);
  });

  it.each([
    'data.example.org/a',
    'http://data.example.org/a',
    'ftp://data.example.org/a',
    'file:///etc/passwd',
    'https://data.example.org.evil.org/a',
    'https://evil.org/data.example.org/a',
    'https://evil.org#.archive.org/a',
    'https://evil.org?.archive.org/a',
    'https://evil.org\\.archive.org/a',
    'https://data.example.org@evil.org/a',
    'https://somebody@data.example.org/a',
    'https://data.example.org:8443/a',
    'https://archive.org/a',
    'https://evilarchive.org/a',
    'http://127.0.0.1/a',
    'http://127.0.0.1:8081/a',
    'https://127.0.0.1:8080/a',
    'http://localhost:8080/a',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://0x7f.1/a',
    'https://data.example.org/a#b',
    `https://data.example.org/${'a'.repeat(2048)}`,
  ])('may not be %s', (address) => {
    expect(fieldsOf({ from: address, to: 'a' })).toEqual(['inputs.0.from']);
  });

  it.each(hostileAddresses)('is never %j, where the host of a webhook may be', (address) => {
    const rules = { inputs: { hosts: ['example.org', '*.example.org'] } };
    expect(judgeInputs(rules, [{ from: address, to: 'a' }])).toMatchObject([
      { field: 'inputs.0.from' },
    ]);
  });

  it('is refused with what is allowed', () => {
    expect(judgeInputs({ inputs: { hosts } }, [{ from: 'https://evil.org/a', to: 'a' }])).toEqual([
      {
        field: 'inputs.0.from',
        message: `This system fetches nothing from https://evil.org. Allowed: ${hosts.join(', ')}, by https.`,
      },
    ]);
  });

  it('is nowhere where a catalog names no hosts any more', () => {
    const fetching = fetchingOf({}, [{ from, to: 'a' }]);
    expect(fetching?.hosts).toEqual([]);
    expect(mayCall(new URL(from), [])).toBe(false);
    expect(fetchingOf({ inputs: { hosts } }, [])).toBeUndefined();
  });
});

describe('a place', () => {
  it.each(['a', 'a/b c/d.nc', '.hidden', 'stdout/a', '\u00fc', 'a:b'])('may be %j', (to) => {
    expect(fieldsOf({ from, to })).toEqual([]);
  });

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    './a',
    '../a',
    'a/../b',
    'a\\b',
    'a\nb',
    'stdout',
    'stderr',
    '\ud800',
  ])('may not be %j', (to) => expect(fieldsOf({ from, to })).toEqual(['inputs.0.to']));

  it.each([
    ['a', 'a'],
    ['a/b', 'a'],
    ['a', 'a/b'],
  ])('may not be %s beside %s', (to, other) => {
    expect(fieldsOf({ from, to: other }, { from, to })).toEqual(['inputs.1.to']);
  });

  it('is as long as files may be named', () => {
    expect(fieldsOf({ from, to: 'a'.repeat(255) }, { from, to: '\u00fc'.repeat(128) })).toEqual([
      'inputs.1.to',
    ]);
    expect(fieldsOf({ from, to: `${'a/'.repeat(500)}a` })).toEqual(['inputs.0.to']);
  });
});

it('checksums have 64 digits', () => {
  const hash = 'Ab'.repeat(32);
  expect(fieldsOf({ from, to: 'a', sha256: hash })).toEqual([]);
  expect(fieldsOf({ from, to: 'a', sha256: hash.slice(1) })).toEqual(['inputs.0.sha256']);
});
