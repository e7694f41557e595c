import { describe, expect, it } from 'vitest';
import {
  type AddressedOutput,
  compileGlob,
  judgeOutputs,
  sendingOf,
} from '#lib/catalog/output-addresses.ts';

const outputs = {
  hosts: ['store.example.org'],
  buckets: [{ name: 'lab-results', prefix: 'runs/', region: 'eu-central-1' }],
};

const fieldsOf = (...wanted: AddressedOutput[]) =>
  judgeOutputs({ outputs }, wanted).map(({ field }) => field);

describe('what a job sends', () => {
  it.each([
    { files: 'out.nc', to: 'https://store.example.org/out.nc?X-Amz-Signature=1' },
    { files: 'out.nc', to: 's3://lab-results/runs/other name.nc' },
    { files: 'results/**/*.nc', to: 's3://lab-results/runs/7/' },
    { files: '**', to: 's3://lab-results/runs/' },
    { files: 'a b/ü.nc', to: 's3://lab-results/runs/7/' },
  ])('may be $files to $to', (output) => {
    expect(fieldsOf(output)).toEqual([]);
  });

  it.each([
    ['../out.nc', 'files'],
    ['/etc/passwd', 'files'],
    ['out/./a', 'files'],
    ['out//a', 'files'],
    ['', 'files'],
    ['a\\b', 'files'],
    ['a\nb', 'files'],
    ['results/**.nc', 'files'],
    ['stdout', 'files'],
    ['slipway.outputs.jsonl', 'files'],
    ['x'.repeat(1001), 'files'],
  ])('is never %j', (files, field) => {
    expect(fieldsOf({ files, to: 's3://lab-results/runs/' })).toEqual([`outputs.0.${field}`]);
  });

  it.each([
    's3://lab-results/',
    's3://lab-results/other/',
    's3://lab-results/runs/../other/',
    's3://lab-results/runs//',
    's3://lab-results/runs/\u0007/',
    's3://elsewhere/runs/',
    's3:///runs/',
    's3://lab-results',
    'https://store.example.org/',
    'https://elsewhere.example/out.nc',
    'http://store.example.org/out.nc',
    'https://user@store.example.org/out.nc',
    'https://10.0.0.1/out.nc',
    'nowhere',
  ])('never goes to %s', (to) => {
    expect(fieldsOf({ files: 'out.nc', to })).toEqual(['outputs.0.to']);
  });

  it('goes to an address of one file only if it is one', () => {
    const to = 'https://store.example.org/out.nc';
    expect(judgeOutputs({ outputs }, [{ files: '*.nc', to }])).toEqual([
      {
        field: 'outputs.0.to',
        message: expect.stringContaining('An address of one file takes no * or ?.'),
      },
    ]);
  });

  it('goes nowhere by default, and says where it could', () => {
    const wanted = [{ files: 'a', to: 's3://lab-results/runs/' }];
    expect(judgeOutputs({}, wanted)).toMatchObject([
      { message: 'This system does not allow s3://lab-results/runs/. Allowed: no bucket.' },
    ]);
    expect(judgeOutputs({ outputs }, [{ files: 'a', to: 's3://b/' }])).toMatchObject([
      { message: 'This system does not allow s3://b/. Allowed: s3://lab-results/runs/*.' },
    ]);
  });

  it('is described with the way through the service, and without signatures', () => {
    const wanted = [
      { files: 'a.nc', to: 'https://store.example.org/a.nc?X-Amz-Signature=secret' },
      { files: '*', to: 's3://lab-results/runs/' },
    ];
    const ways = {
      addressOf: (number: number) => `https://slipway/send/?number=${number}`,
      trusted: ['slipway'],
    };
    expect(sendingOf({ outputs }, [], ways)).toBeUndefined();
    expect(sendingOf({ outputs }, wanted, ways)).toEqual({
      outputs: [
        {
          files: 'a.nc',
          pattern: '^a[.]nc$',
          to: 'https://store.example.org/a.nc',
          address: wanted[0]?.to,
          asks: false,
        },
        {
          files: '*',
          pattern: '^[^/]*$',
          to: 's3://lab-results/runs/',
          address: 'https://slipway/send/?number=1',
          asks: true,
        },
      ],
      hosts: outputs.hosts,
      trusted: ['slipway'],
      paidBy: 'site',
      maxBytes: 5_000_000_000,
    });
  });
});

describe('a glob', () => {
  it.each([
    ['*.nc', ['a.nc', '.nc'], ['a/b.nc', 'axnc', 'a.nc.bak']],
    ['results/**/*.nc', ['results/a.nc', 'results/b/c/a.nc'], ['a.nc', 'other/results/a.nc']],
    ['results/**', ['results/a', 'results/a/b'], ['results', 'resultsa']],
    ['?.txt', ['a.txt'], ['ab.txt', '.txt', '/.txt']],
    ['a[1].(x)+{y}|$^.nc', ['a[1].(x)+{y}|$^.nc'], ['a1.xy.nc']],
    ['**/x', ['x', 'a/x', 'a/b/x'], ['ax', 'a/xb']],
  ])('%s matches whole paths', (glob, matching, others) => {
    const pattern = new RegExp(compileGlob(glob), 'su');
    expect(matching.filter((path) => !pattern.test(path))).toEqual([]);
    expect(others.filter((path) => pattern.test(path))).toEqual([]);
  });
});
