import { describe, expect, it } from 'vitest';
import { durations } from '#test/fixtures/durations.ts';
import { parseFields, refused } from '#test/fixtures/payloads.ts';
import { hpcOne, hpcTwo, systemSamples } from '#test/fixtures/samples.ts';

const limits = [
  { sample: hpcOne, name: 'node_number', key: 'nodes', max: 512 },
  { sample: hpcOne, name: 'core_number', key: 'coresPerNode', max: 64 },
  { sample: hpcTwo, name: 'node_number', key: 'nodes', max: 72 },
  { sample: hpcTwo, name: 'core_number', key: 'coresPerNode', max: 24 },
] as const;

describe.each(limits)('$name of $sample.hpc', ({ sample, name, key, max }) => {
  const message = `It must be a whole number from 1 to ${max}.`;

  it.each([1, 2, max])('takes %d, as text and as a number', (value) => {
    expect(parseFields(sample, { [name]: String(value) }).payload?.[key]).toBe(value);
    expect(parseFields(sample, { [name]: value }).payload?.[key]).toBe(value);
    expect(parseFields(sample, { [name]: ` ${value} ` }).payload?.[key]).toBe(value);
  });

  it.each([0, -1, max + 1, 1.5, 1e15, 1e300])('refuses %d, as text and as a number', (value) => {
    expect(parseFields(sample, { [name]: String(value) })).toEqual(refused(name, message));
    expect(parseFields(sample, { [name]: value })).toEqual(refused(name, message));
  });

  it('has 15 digits at most, however many of them are zeros', () => {
    expect(parseFields(sample, { [name]: '2'.padStart(15, '0') }).payload?.[key]).toBe(2);
    expect(parseFields(sample, { [name]: '2'.padStart(16, '0') })).toEqual(refused(name, message));
  });

  it.each([
    '',
    ' ',
    'two',
    '0x2',
    '1e0',
    '2.0',
    '2.',
    '.0',
    '2.5',
    '2.01',
    '2.0.0',
    '2,0',
    '+2',
    '-2',
    '1 0',
    '２',
    '٢',
    '²',
    'NaN',
  ])('refuses the text %j', (value) => {
    expect(parseFields(sample, { [name]: value })).toEqual(refused(name, message));
  });

  it.each([null, true, [], ['2'], {}])('refuses %j', (value) => {
    expect(parseFields(sample, { [name]: value })).toEqual(refused(name, message));
  });
});

describe.each(systemSamples)('runtime of $hpc', (sample) => {
  const message = 'It must be a number of hours, at least 0.000001, for example "2.0".';

  it.each(durations.numbers)('takes %j, as every face does', (runtime, hours) => {
    expect(parseFields(sample, { runtime }).payload?.requestedRuntime).toBe(hours);
  });

  it.each([...durations.texts.map(([text]) => text), ...durations.refused])(
    'refuses %j, because the contract has only numbers',
    (runtime) => {
      expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
    },
  );

  it.each([
    { value: '2.0', hours: 2 },
    { value: '2', hours: 2 },
    { value: ' 0.5 ', hours: 0.5 },
    { value: '0.001', hours: 0.001 },
    { value: '100000', hours: 100_000 },
    { value: '1e3', hours: 1000 },
    { value: '2.5E-1', hours: 0.25 },
    { value: 2, hours: 2 },
    { value: 0.5, hours: 0.5 },
    { value: 0.1 + 0.2, hours: 0.300_000_000_000_000_04 },
  ])('takes $value', ({ value, hours }) => {
    expect(parseFields(sample, { runtime: value }).payload?.requestedRuntime).toBe(hours);
  });

  it.each([0.1 + 0.2, 1 / 3, 2 / 3, 100 / 3])(
    'takes %d as text too, with all the digits that languages write of a double',
    (hours) => {
      const { payload, problems } = parseFields(sample, { runtime: String(hours) });
      expect(problems).toEqual([]);
      expect(payload?.requestedRuntime).toBe(hours);
    },
  );

  it.each(['2'.padStart(30, '0'), '2.'.padEnd(32, '0'), '2e000', '2.0e+00'])(
    'takes 30 digits before and behind the point, and 3 of an exponent: %s',
    (runtime) => {
      expect(parseFields(sample, { runtime }).payload?.requestedRuntime).toBe(2);
    },
  );

  it.each(['2'.padStart(31, '0'), '2.'.padEnd(33, '0'), '2e0000'])(
    'takes no more digits than that: %s',
    (runtime) => {
      expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
    },
  );

  it.each([
    '0',
    '0.0',
    '-1',
    '-0.5',
    '2,0',
    'e3',
    '1e',
    '1e+-3',
    '1e999',
    '0x10',
    '1_000',
    '１',
    '٢.٠',
    '2.',
    '.5',
    '+2',
    '1 h',
    '2 0',
    'NaN',
    'Infinity',
    '',
    '9'.repeat(400),
  ])('refuses the text %j', (runtime) => {
    expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
  });

  it.each([0, -0, -1, -1e300])('refuses the number %d', (runtime) => {
    expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
  });

  it.each([null, true, [2], { hours: 2 }])('refuses %j', (runtime) => {
    expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
  });

  it('refuses a number beyond all doubles', () => {
    const text = JSON.stringify({ ...sample.payload, runtime: 7 }).replace(':7', ':1e309');
    expect(parseFields(sample, JSON.parse(text))).toEqual(refused('runtime', message));
  });

  it.each([1e16, 1e126, 1e300, Number.MAX_VALUE])(
    'takes %d: it is cut to what is granted',
    (runtime) => {
      expect(parseFields(sample, { runtime }).payload?.requestedRuntime).toBe(runtime);
      expect(parseFields(sample, { runtime: String(runtime) }).payload?.requestedRuntime).toBe(
        runtime,
      );
    },
  );

  // DynamoDB holds nothing below 1e-130: it would be a failure of the service there.
  it.each([9e-7, 1e-131, 1e-300, Number.MIN_VALUE])(
    'refuses %d, which is no time at all',
    (runtime) => {
      expect(parseFields(sample, { runtime })).toEqual(refused('runtime', message));
      expect(parseFields(sample, { runtime: String(runtime) })).toEqual(
        refused('runtime', message),
      );
    },
  );

  it('takes a millionth of an hour', () => {
    expect(parseFields(sample, { runtime: 1e-6 }).payload?.requestedRuntime).toBe(1e-6);
    expect(parseFields(sample, { runtime: '0.000001' }).payload?.requestedRuntime).toBe(1e-6);
  });
});
