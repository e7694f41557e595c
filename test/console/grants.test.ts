import { describe, expect, it } from 'vitest';
import type { GrantedRow } from '#client/src/index.ts';
import { readPasted } from '#console/src/admin/grants/bulk-grant.tsx';
import {
  countChanges,
  countOpen,
  countOutcomes,
  describeOutcome,
} from '#console/src/admin/grants/outcomes.ts';
import { readSentence } from '#console/src/admin/grants/read-sentence.ts';

const now = new Date('2026-11-15T08:30:00Z');
const sentence = {
  verb: 'give',
  user: '306328',
  time: '500 node-hours',
  space: '',
  place: 'hpc_one/proj_hpc_one_01',
  until: '31 March',
  reason: ' a course ',
} as const;
const place = { user_id: '306328', hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };

describe('a grant as a sentence', () => {
  it('becomes a row for the service', () => {
    expect(readSentence(sentence, now).row).toEqual({
      ...place,
      add: { time: 1_800_000 },
      valid_until: '2027-03-31',
      reason: 'a course',
    });
  });

  it.each([
    [{ verb: 'take', space: '1 GB' }, { add: { time: -1_800_000, space: -1_000_000 } }],
    [{ verb: 'set', time: '0' }, { set: { time: 0 } }],
    [{ time: '' }, {}],
  ] as const)('with %j becomes that row', (change, changed) => {
    const { row } = readSentence({ ...sentence, ...change, until: 'never', reason: '' }, now);
    expect(row).toEqual({ ...place, ...changed, valid_until: null });
  });

  it.each([
    [{ user: 'ada' }, 'user'],
    [{ place: '' }, 'place'],
    [{ time: 'much' }, 'time'],
    [{ time: '', until: '' }, 'time'],
  ])('with %j is not sent', (change, name) => {
    const { row, problems } = readSentence({ ...sentence, ...change }, now);
    expect(row).toBeUndefined();
    expect([...problems.keys()]).toEqual([name]);
  });
});

const projects = [
  ['HPC_ONE', 'proj_hpc_one_01'],
  ['HPC_ONE', 'course'],
  ['HPC_TWO', 'course'],
].map(([hpc = '', name = ''], id) => ({
  id,
  project_hpc: hpc,
  project_name: name,
  default: name === 'proj_hpc_one_01',
  max_living_jobs: 1000,
}));

describe('a pasted table', () => {
  it('is read with line numbers', async () => {
    const text = 'user,project,node_hours,reason\n\n306328,proj_hpc_one_01,"1,000",a course\n';
    expect(await readPasted(text, projects)).toEqual({
      rows: [{ line: 3, row: { ...place, add: { time: 3_600_000 }, reason: 'a course' } }],
      problems: new Map(),
    });
  });

  it('can name a system instead of its default project', async () => {
    const { rows } = await readPasted('user,project,node_hours\n306328,hpc_one,1', projects);
    expect(rows).toEqual([{ line: 2, row: { ...place, add: { time: 3600 } } }]);
    const { problems } = await readPasted('user,project,node_hours\n306328,hpc_two,1', projects);
    expect(problems.get(2)).toBe("project: Unknown project 'hpc_two'.");
  });

  it('can be copied from a spreadsheet', async () => {
    const text = 'user\tproject\tnode_hours\treason\r\n306328\tproj_hpc_one_01\t1,000\tfor "us"';
    const { rows } = await readPasted(text, projects);
    expect(rows).toEqual([
      { line: 2, row: { ...place, add: { time: 3_600_000 }, reason: 'for "us"' } },
    ]);
  });

  it('reports all problems by line', async () => {
    const text = [
      'user,project,node_hours',
      'ada,proj_hpc_one_01,1',
      '7,nowhere,1',
      '7,course,1',
      '7,hpc_two/course,much',
      '7,hpc_two/course,1',
    ].join('\n');
    const { rows, problems } = await readPasted(text, projects);
    expect(rows.map(({ line }) => line)).toEqual([6]);
    expect([...problems]).toEqual([
      [2, 'user: Write the number of the user, such as 306328.'],
      [3, "project: Unknown project 'nowhere'."],
      [4, "project: 'course' is on several systems. Enter hpc_one/course or hpc_two/course."],
      [5, 'node_hours: Write a number of hours, such as 500, 2.5 or "500 node-hours".'],
    ]);
  });

  it.each([
    ['user,project,gift\n7,course,1', /Unknown columns: gift\./],
    ['user,project', /no rows/],
    ['user,project\n7', /Line 2 has 1 cells/],
    ['user,project\n7,"course', /Line 2 has a quote in the wrong place/],
    [`user,project\n7,"${'x'.repeat(9_000_000)}"`, /Line 2 is too long/],
    [`user,project\n${'7,course\n'.repeat(1001)}`, /Paste it in parts/],
    [`user,project\n${'7,course\n'.repeat(1001)}"never read`, /Paste it in parts/],
  ])('is refused as a whole if it is not valid: %.30s', async (text, problem) => {
    const { rows, problems } = await readPasted(text, projects);
    expect(rows).toEqual([]);
    expect(problems.get(0)).toMatch(problem);
  });
});

describe('the outcomes of rows', () => {
  const granted: GrantedRow = {
    line: 1,
    outcome: 'granted',
    user: '7',
    project_hpc: 'HPC_ONE',
    project_name: 'course',
    change: { time: { before: 0, after: 3600 }, space: { before: 0, after: 0 } },
  };
  const unchanged: GrantedRow = { ...granted, outcome: 'unchanged', change: null };
  const refused: GrantedRow = {
    line: 2,
    outcome: 'refused',
    problem: {
      type: 'urn:slipway:problem:quota-in-use',
      title: '',
      detail: 'It cannot be set below 7200 seconds.',
      project_hpc: 'HPC_ONE',
      project_name: 'course',
      charging: 'core',
      lowest: { time: 7200, space: 0 },
    },
  };
  const late: GrantedRow = { line: 3, outcome: 'not-done' };

  it('are described in node-hours', () => {
    expect(describeOutcome(granted, 'node')).toBe('0 → 1 node-hours');
    expect(describeOutcome(unchanged, 'node')).toBe('No change needed.');
    expect(describeOutcome(refused, 'core')).toContain('cannot be set below 2 core-hours');
    expect(describeOutcome(late, 'node')).toBe('Time ran out before this row. Send it again.');
  });

  it('are counted', () => {
    const rows = [granted, refused, granted, unchanged, late];
    expect(countOutcomes(rows)).toBe('2 granted, 1 refused, 1 unchanged, 1 not done');
    expect(countChanges(rows)).toBe(2);
    expect(countOpen(rows)).toBe(2);
  });
});
