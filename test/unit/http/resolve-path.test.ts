import { describe, expect, it } from 'vitest';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { InvalidRequestError, PathNotFoundError } from '#lib/http/errors.ts';
import { type NamedThings, resolvePath } from '#lib/http/routes/resolve-path.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';

const path = '/jobs/[{hpc}/[{project_name}/[{job_id}/]]]';
const two = findSystem(catalog, 'hpc_two');
const things: NamedThings = {
  catalog,
  findProject: async (system, name) => findProject(system, name),
};

describe('resolvePath', () => {
  it('turns names into what they name', async () => {
    const values = { hpc: 'hpc_two', project_name: 'proj_hpc_two_02', job_id: 'A-1' };
    expect(await resolvePath(things, path, values)).toEqual({
      hpc: two,
      project_name: two.projects[1],
      job_id: 'A-1',
    });
  });

  it('leaves out what the path leaves out', async () => {
    expect(await resolvePath(things, path, {})).toStrictEqual({});
    expect(await resolvePath(things, path, { hpc: 'hpc_two' })).toStrictEqual({ hpc: two });
  });

  it.each(['hpc_three', 'HPC_ONE', 'hpc_one ', 'toString', '__proto__'])(
    'knows no system %j',
    async (hpc) => {
      await expect(resolvePath(things, path, { hpc })).rejects.toThrow(SystemNotFoundError);
    },
  );

  it.each(['proj_hpc_one_01', 'PROJ_HPC_TWO_01', 'proj_hpc_two_03', '__proto__'])(
    'knows no project %j on hpc_two',
    async (project_name) => {
      const values = { hpc: 'hpc_two', project_name };
      await expect(resolvePath(things, path, values)).rejects.toThrow(ProjectNotFoundError);
    },
  );

  it.each(['', 'a', 'A#B', 'X'.repeat(129), 'Ä'])(
    'takes no job with the identifier %j',
    async (job_id) => {
      const values = { hpc: 'hpc_two', project_name: 'proj_hpc_two_01', job_id };
      await expect(resolvePath(things, path, values)).rejects.toThrow(JobNotFoundError);
    },
  );

  const adminPath = '/admin/quotas/{user_id}/[{hpc}/]';

  it.each(['1', '306328', '9'.repeat(32)])('takes the user %s', async (user_id) => {
    expect(await resolvePath(things, adminPath, { user_id })).toEqual({ user_id });
  });

  it.each(['', 'alice', '-1', '1.0', '٣', '1 ', '9'.repeat(33)])(
    'takes no user %j',
    async (user_id) => {
      await expect(resolvePath(things, adminPath, { user_id })).rejects.toThrow(PathNotFoundError);
    },
  );

  it('refuses a path whose required name is missing', async () => {
    await expect(resolvePath(things, adminPath, {})).rejects.toThrow(PathNotFoundError);
    await expect(resolvePath(things, '/jobs/{hpc}/', {})).rejects.toThrow(PathNotFoundError);
    await expect(resolvePath(things, '/{hpc}/{job_id}/', { hpc: 'hpc_two' })).rejects.toThrow(
      PathNotFoundError,
    );
  });

  it('takes the name of a project that need not be there, if one can have it', async () => {
    const put = '/admin/projects/{hpc}/{any_project_name}/';
    const named = (name: string) =>
      resolvePath(things, put, { hpc: 'hpc_two', any_project_name: name });
    expect(await named('spring_2027')).toEqual({ hpc: two, any_project_name: 'spring_2027' });
    for (const name of ['Spring', '7days', 'a-b', 'a#b', 'x'.repeat(64)]) {
      await expect(named(name)).rejects.toThrow(InvalidRequestError);
    }
  });
});
