import { describe, expect, it } from 'vitest';
import { parseCatalog } from '#lib/catalog/file/read-catalog.ts';
import { editCatalog } from '#test/fixtures/broken-catalogs.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { openUseCount } from '#tools/catalog/catalog-use.ts';
import { judgeChange } from '#tools/catalog/judge-change.ts';

const uuid = 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA';
const token = `NGBW-JOB-NEURON74_TG-${'A'.repeat(32)}`;

const further = `,\n        { "number": 3, "name": "proj_hpc_two_02", "maxLivingJobs": 1000 }`;

/** All of a new system but its name. */
const annex = JSON.stringify({
  ...JSON.parse(editCatalog()).systems[0],
  projects: [{ number: 9, name: 'annex_open', maxLivingJobs: 1 }],
})
  .replace('"name":"hpc_one",', '')
  .slice(1, -1);

/** What is stored: in each project something, and on each system an active job. */
function storedUse() {
  const uses = openUseCount();
  const [one, two, further] = catalog.systems.flatMap(({ projects }) => projects);
  for (const project of [one!, one!, two!, further!]) uses.addQuota(project);
  for (const project of [one!, one!, one!, two!]) uses.addJob(project);
  uses.addLiving('hpc_one', 'STAGINGIN', uuid);
  uses.addLiving('hpc_one', 'STAGINGIN', uuid);
  uses.addLiving('hpc_two', 'QUEUE', token);
  uses.addLiving('hpc_two', 'CANCELED', token);
  return uses.result();
}

function judge(...edits: readonly (readonly [string, string])[]): string[] {
  return judgeChange(parseCatalog(editCatalog(...edits), 'centre.json'), storedUse());
}

describe('a change of the catalog', () => {
  it('is accepted if nothing stored depends on it', () => {
    expect(judge()).toEqual([]);
    expect(
      judge(
        ['"systems": [', '"systems": [{"name":"annex",'.concat(annex, '},')],
        ['"nodes": 512', '"nodes": 1'],
        ['"READY", ', ''],
      ),
    ).toEqual([]);
  });

  it('must keep every system in use', () => {
    expect(judge(['"hpc_two"', '"annex"'])).toEqual([
      'project proj_hpc_two_01 (2) of hpc_two: there is no system hpc_two any more, and there are 1 job and 1 quota in it',
      'project proj_hpc_two_02 (3) of hpc_two: there is no system hpc_two any more, and there is 1 quota in it',
    ]);
  });

  it('need not name projects that were opened at run time', () => {
    const uses = openUseCount();
    const opened = { hpc: 'hpc_two', number: 1_000_000 };
    uses.addOpened({ ...opened, name: 'spring' });
    uses.addOpened({ ...opened, name: 'autumn', number: 1_000_001 });
    uses.addQuota({ ...opened, name: 'autumn', number: 1_000_001 });
    uses.addOpened({ hpc: 'gone', name: 'empty', number: 1_000_002 });
    const judgeUses = (...edits: readonly (readonly [string, string])[]) =>
      judgeChange(parseCatalog(editCatalog(...edits), 'centre.json'), uses.result());
    expect(judgeUses()).toEqual([]);
    const named = (name: string) => judgeUses(['"proj_hpc_two_02"', `"${name}"`]);
    expect(named('spring')).toEqual([
      'project spring (1000000) of hpc_two: its number is 3 now, and it was opened at run time',
    ]);
    expect(named('autumn')).toEqual([
      'project autumn (1000001) of hpc_two: its number is 3 now, and there is 1 quota in it',
    ]);
  });

  it('must keep every project in use and not reuse its number', () => {
    expect(judge([further, ''])).toEqual([
      'project proj_hpc_two_02 (3) of hpc_two: it is not there any more, and there is 1 quota in it',
    ]);
    expect(judge([further, ''], ['"number": 1', '"number": 3'])).toEqual([
      'project proj_hpc_one_01 (1) of hpc_one: its number is 3 now, and there are 3 jobs and 2 quotas in it',
      'project proj_hpc_two_02 (3) of hpc_two: it is not there any more, and there is 1 quota in it; its number is that of hpc_one/proj_hpc_one_01 now',
    ]);
  });

  it('must not renumber or rename a project in use', () => {
    expect(judge(['"number": 2', '"number": 4'])).toEqual([
      'project proj_hpc_two_01 (2) of hpc_two: its number is 4 now, and there are 1 job and 1 quota in it',
    ]);
    expect(judge(['proj_hpc_one_01', 'pilot'])).toEqual([
      'project proj_hpc_one_01 (1) of hpc_one: it is called pilot now, and there are 3 jobs and 2 quotas in it',
    ]);
  });

  it('must keep the stages of active jobs', () => {
    expect(judge(['"STAGINGIN", ', ''])).toEqual([
      `hpc_one: stages.living does not have STAGINGIN any more, and there are 2 active jobs in that stage, for example ${uuid}`,
    ]);
  });

  it('must not mix two forms of ids on a system', () => {
    expect(judge(['NGBW-JOB', 'NSG'])).toEqual([
      `hpc_two: job ids are made by NSG now, and there is 1 active job with an id of another form, for example ${token}`,
    ]);
  });
});
