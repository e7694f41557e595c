import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Charging } from '#lib/catalog/hpc-system.ts';
import { readTableMap, translateTable } from '#tools/transfer/from-csv.ts';
import { readRenames, translateAssociations } from '#tools/transfer/from-slurm.ts';

const read = (name: string) => readFileSync(`test/fixtures/transfer/${name}`, 'utf8');
const example = (name: string): unknown =>
  JSON.parse(readFileSync(`docs/examples/import/${name}`, 'utf8'));

/** What a real Slurm 22.05 has printed, and answered. */
const listing = read('associations.txt');
const translate = (charging: Charging, text = listing) =>
  translateAssociations(text, { name: 'hpc_one', charging });

describe('associations of Slurm', () => {
  it('become a shared budget and its members, in the resource that the system charges', () => {
    const { grants, problems, choices } = translate('node');
    expect(grants).toEqual(
      [
        { line: 5, id: 'slipway/lab-x/games', hpc: 'hpc_one', project: 'lab-x', login: 'games' },
        { line: 6, id: 'slipway/lab_42/', seconds: 3_600_000 },
        { line: 7, id: 'slipway/lab_42/daemon', login: 'daemon' },
        { line: 8, id: 'slipway/lab_42/games', login: 'games' },
        { line: 9, id: 'slipway/lab_42/mail', login: 'mail' },
      ].map((each) => ({
        hpc: 'hpc_one',
        project: 'lab_42',
        ...each,
        ...(each.line > 5 && { shared: true }),
      })),
    );
    expect(problems).toEqual([
      {
        line: 4,
        message: expect.stringContaining(
          'account lab-x: it limits billing, but hpc_one charges node.',
        ),
      },
      {
        line: 7,
        message: expect.stringContaining(
          'user daemon in account lab_42: the limit of the user is left out',
        ),
      },
    ]);
    expect(choices[0]).toContain('charges node-hours, so node= of GrpTRESMins is taken');
  });

  it.each([
    { charging: 'core' as const, budgets: { lab_42: 36_000_000 } },
    { charging: { per: { core: 1 }, rule: 'sum' as const }, budgets: { 'lab-x': 180_000 } },
  ])('are read as $charging', ({ charging, budgets }) => {
    const { grants } = translate(charging);
    const given = grants.filter(({ seconds }) => seconds !== undefined);
    expect(Object.fromEntries(given.map(({ project, seconds }) => [project, seconds]))).toEqual(
      budgets,
    );
  });

  it('mean the same from slurmrestd', () => {
    const kept = (text: string) =>
      new Set(translate('node', text).grants.map(({ line: _, ...grant }) => JSON.stringify(grant)));
    expect(kept(read('associations.json'))).toEqual(kept(listing));
  });

  it('of users are quotas in accounts without a limit', () => {
    const text =
      'Cluster|Account|User|Partition|GrpTRESMins\nc|lab|||\nc|lab|ada||node=60\nc|lab|bob|fast|node=5\n';
    const { grants, problems } = translate('node', text);
    expect(grants).toEqual([
      { line: 3, id: 'c/lab/ada', hpc: 'hpc_one', project: 'lab', login: 'ada', seconds: 3600 },
    ]);
    expect(problems).toEqual([
      {
        line: 4,
        message: expect.stringContaining(
          'user bob in account lab: this is for the partition fast alone',
        ),
      },
    ]);
  });

  it('get other names, and are refused without their columns or a resource', () => {
    const renames = readRenames({ projects: { 'lab-x': 'lab_x' } });
    const target = { name: 'hpc_one', charging: 'node' as const };
    expect(translateAssociations(listing, target, renames).grants[0]?.project).toBe('lab_x');
    expect(() => translate('node', 'Account|User\n')).toThrow(
      'The first line lacks Cluster, GrpTRESMins.',
    );
    const several = 'Cluster|Account|User|GrpTRESMins\na|lab||node=1\nb|lab||node=1\n';
    expect(() => translate('node', several)).toThrow('of several clusters: a, b.');
    expect(() => translate('wall-clock')).toThrow("'hpc_one' charges time by the clock");
  });
});

describe('tables', () => {
  it('of ColdFront become budgets, by the example of a map', () => {
    const { source, grants, problems, choices } = translateTable(
      read('coldfront.csv'),
      readTableMap(example('coldfront-map.json')),
    );
    expect(source).toBe('coldfront');
    expect(grants.slice(0, 2)).toEqual([
      {
        line: 2,
        id: '17',
        hpc: 'hpc_one',
        project: 'lab_42',
        seconds: 36_000_000,
        kilobytes: 500_000_000,
        start: new Date('2026-01-01T00:00:00Z'),
        end: new Date('2027-12-31T23:59:59.999Z'),
      },
      {
        line: 3,
        id: '18',
        hpc: 'hpc_one',
        project: 'lab_x',
        seconds: 9_001_800,
        start: new Date('2026-02-01T00:00:00Z'),
        end: new Date('2026-12-31T23:59:59.999Z'),
      },
    ]);
    expect(grants.map(({ id }) => id)).toEqual(['17', '18', '20']);
    expect(problems).toEqual([
      { line: 6, message: "'slurm_account_name' is empty." },
      { line: 7, message: "'Core Hours' is 'many', which is no amount." },
    ]);
    expect(choices[1]).toContain('1 rows are left out');
  });

  it('of Waldur become quotas, by the example of a map', () => {
    const { grants } = translateTable(read('waldur.csv'), readTableMap(example('waldur-map.json')));
    expect(grants.map(({ login, seconds, end }) => [login, seconds, end?.toISOString()])).toEqual([
      ['ada', 432_000, '2027-06-30T23:59:59.999Z'],
      ['bob', 288_000, undefined],
    ]);
  });

  it('and maps say what is wrong with them', () => {
    expect(() => readTableMap({ source: 'x', columns: { id: 'a' }, colour: 1 })).toThrow(
      /columns\.project: .*colour: /,
    );
    const map = readTableMap({ source: 'x', columns: { id: 'a', project: 'b' } });
    expect(() => translateTable('a,c\n1,2\n', map)).toThrow(
      "no column 'b'. Its columns are: a, c.",
    );
    expect(translateTable('a,b\n1,lab\n', map).problems).toEqual([
      { line: 2, message: "No system: name a column for it, or 'system' in the map." },
    ]);
  });
});
