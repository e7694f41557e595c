import type { Hpc } from '../submit.ts';

/** Every form of a path that reads (interface 4.1, 4.3 and 4.4), and what its answer must hold. */
export interface ListPath {
  readonly section: string;
  readonly path: string;
  readonly says: string;
  /** Only of this system, where the path names one. */
  readonly hpc?: Hpc;
  readonly project?: string;
}

export const jobLists: readonly ListPath[] = [
  { section: '4.1', path: '/jobs/', says: 'all jobs, any system, any project' },
  { section: '4.1', path: '/jobs/hpc_one/', says: 'all jobs on hpc_one', hpc: 'hpc_one' },
  { section: '4.1', path: '/jobs/hpc_two/', says: 'all jobs on hpc_two', hpc: 'hpc_two' },
  {
    section: '4.1',
    path: '/jobs/hpc_one/proj_hpc_one_01/',
    says: 'all jobs of the project on hpc_one',
    hpc: 'hpc_one',
    project: 'proj_hpc_one_01',
  },
  {
    section: '4.1',
    path: '/jobs/hpc_two/proj_hpc_two_01/',
    says: 'all jobs of the project on hpc_two',
    hpc: 'hpc_two',
    project: 'proj_hpc_two_01',
  },
  {
    section: '2.1',
    path: '/jobs/hpc_two/proj_hpc_two_02/',
    says: 'the jobs of a further project',
    hpc: 'hpc_two',
    project: 'proj_hpc_two_02',
  },
];

/** Below `/quotas` of the caller (4.3) and `/admin/quotas/{user_id}` of any user (4.4). */
export const quotaLists: readonly Omit<ListPath, 'section'>[] = [
  { path: '/', says: 'the quotas of all projects and systems' },
  { path: '/hpc_one/', says: 'the quotas of all projects on hpc_one', hpc: 'hpc_one' },
  { path: '/hpc_two/', says: 'the quotas of all projects on hpc_two', hpc: 'hpc_two' },
];

export const singleQuotas = [
  { path: '/hpc_one/proj_hpc_one_01/', project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' },
  { path: '/hpc_two/proj_hpc_two_01/', project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_01' },
] as const;

/** The canonical form and the one without its slash; an empty last segment has only the first. */
export function bothForms<Row extends { readonly path: string }>(rows: readonly Row[]): Row[] {
  return rows.flatMap((row) =>
    row.path.endsWith('//') ? [row] : [row, { ...row, path: row.path.replace(/\/$/, '') }],
  );
}
