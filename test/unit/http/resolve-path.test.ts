import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError, SystemNotFoundError } from '#lib/catalog/errors.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { resolvePath } from '#lib/http/routes/resolve-path.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';

const path = '/jobs/[{hpc}/[{project_name}/[{job_id}/]]]';
const two = findSystem(catalog, 'hpc_two');

describe('resolvePath', () => {
  it('turns names into what they name', () => {
    const values = { hpc: 'hpc_two', project_name: 'proj_hpc_two_02', job_id: 'A-1' };
    expect(resolvePath(catalog, path, values)).toEqual({
      hpc: two,
      project_name: two.projects[1],
      job_id: 'A-1',
    });
  });

  it('leaves out what the path leaves out', () => {
    expect(resolvePath(catalog, path, {})).toStrictEqual({});
    expect(resolvePath(catalog, path, { hpc: 'hpc_two' })).toStrictEqual({ hpc: two });
  });

  it.each(['hpc_three', 'HPC_ONE', 'hpc_one ', 'toString', '__proto__'])(
    'knows no system %j',
    (hpc) => {
      expect(() => resolvePath(catalog, path, { hpc })).toThrow(SystemNotFoundError);
    },
  );

  it.each(['proj_hpc_one_01', 'PROJ_HPC_TWO_01', 'proj_hpc_two_03', '__proto__'])(
    'knows no project %j on hpc_two',
    (project_name) => {
      const values = { hpc: 'hpc_two', project_name };
      expect(() => resolvePath(catalog, path, values)).toThrow(ProjectNotFoundError);
    },
  );

  it.each(['', 'a', 'A#B', 'X'.repeat(129), 'Ä'])(
    'takes no job with the identifier %j',
    (job_id) => {
      const values = { hpc: 'hpc_two', project_name: 'proj_hpc_two_01', job_id };
      expect(() => resolvePath(catalog, path, values)).toThrow(JobNotFoundError);
    },
  );

  const adminPath = '/admin/quotas/{user_id}/[{hpc}/]';

  it.each(['1', '306328', '9'.repeat(32)])('takes the user %s', (user_id) => {
    expect(resolvePath(catalog, adminPath, { user_id })).toEqual({ user_id });
  });

  it.each(['', 'alice', '-1', '1.0', '٣', '1 ', '9'.repeat(33)])('takes no user %j', (user_id) => {
    expect(() => resolvePath(catalog, adminPath, { user_id })).toThrow(PathNotFoundError);
  });

  it('refuses a path whose required name is missing', () => {
    expect(() => resolvePath(catalog, adminPath, {})).toThrow(PathNotFoundError);
    expect(() => resolvePath(catalog, '/jobs/{hpc}/', {})).toThrow(PathNotFoundError);
    expect(() => resolvePath(catalog, '/{hpc}/{job_id}/', { hpc: 'hpc_two' })).toThrow(
      PathNotFoundError,
    );
  });
});
