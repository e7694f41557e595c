import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import { findProjectsByNumber, findProjectsNow } from '#lib/projects/find-project.ts';
import { openTable } from '#lib/table/table.ts';
import { openedProject, projectItem } from '#test/fixtures/samples.ts';
import { mockTable } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable('slipway-test');
const two = findSystem(catalog, 'hpc_two');
const { project } = openedProject;

let stored: Record<string, unknown> | undefined;
let clock: number;
beforeEach(() => {
  mock.reset();
  stored = projectItem(openedProject);
  clock = 1_000_000;
  mock.on(GetCommand).callsFake(() => ({ Item: stored }));
});

const reads = () => mock.calls().length;
const find = () => findProjectsByNumber(table, () => clock);

describe('a project', () => {
  it('of the catalog costs no read', async () => {
    for (const each of [find(), findProjectsNow(table)]) {
      expect(await each(two, 'proj_hpc_two_02')).toBe(two.projects[1]);
    }
    expect(reads()).toBe(0);
  });

  it("that the catalog has come to name is the catalog's", async () => {
    stored = projectItem(openedProject, { project_name: 'proj_hpc_two_02' });
    expect((await find()(two, 'proj_hpc_two_02')).number).toBe(3);
  });

  it('that was opened at run time is read once a minute for its number', async () => {
    const byNumber = find();
    expect(await byNumber(two, project)).toMatchObject({ number: 1_000_000, name: project });
    clock += 59_999;
    await byNumber(two, project);
    expect(reads()).toBe(1);
    clock += 1;
    await byNumber(two, project);
    expect(reads()).toBe(2);
  });

  it('is not mistaken for another one that was read before', async () => {
    const byNumber = find();
    await byNumber(two, project);
    stored = projectItem(openedProject, { project_name: 'autumn_2027', number: 1_000_001 });
    expect(await byNumber(two, 'autumn_2027')).toMatchObject({ number: 1_000_001 });
  });

  it('is read each time if its current state matters', async () => {
    const now = findProjectsNow(table);
    expect(await now(two, project)).toMatchObject({ closed: false });
    stored = projectItem(openedProject, { closed: true });
    expect(await now(two, project)).toMatchObject({ closed: true });
  });

  it('that does not exist is looked up each time, because it may be opened at any moment', async () => {
    const byNumber = find();
    stored = undefined;
    await expect(byNumber(two, project)).rejects.toThrow(ProjectNotFoundError);
    stored = projectItem(openedProject);
    expect((await byNumber(two, project)).number).toBe(1_000_000);
  });

  it.each(['Spring', 'a#b', '', '__proto__', 'x'.repeat(64)])(
    'cannot be called %j, and is not looked up',
    async (name) => {
      await expect(find()(two, name)).rejects.toThrow(ProjectNotFoundError);
      expect(reads()).toBe(0);
    },
  );
});
