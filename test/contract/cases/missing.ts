/** Where nothing is: 404 (design 2, Paths). `%` forms arrive as they are written here. */
export const missingPaths: readonly { readonly path: string; readonly why: string }[] = [
  { path: '/nothing/', why: 'an unknown path' },
  { path: '/JOBS/', why: 'paths are lower-case' },
  { path: '/job/', why: 'a part of a path' },
  { path: '/jobsx/', why: 'more than a path' },
  { path: '//jobs/', why: 'an empty segment' },
  { path: '/jobs//', why: 'an empty system' },
  { path: '/jobs/hpc_one//', why: 'an empty project' },
  { path: '/jobs/hpc_three/', why: 'an unknown system' },
  { path: '/jobs/HPC_ONE/', why: 'a system in upper case' },
  { path: '/jobs/Hpc_one/', why: 'a system in other letters' },
  { path: '/jobs/hpc_one%20/', why: 'a system with a space' },
  { path: '/jobs/hpc_one%00/', why: 'a system with a NUL' },
  { path: '/jobs/%ZZ/', why: 'a broken escape' },
  { path: '/jobs/__proto__/', why: 'a name of JavaScript' },
  { path: '/jobs/proj_hpc_one_01/', why: 'a project without its system' },
  { path: '/jobs//proj_hpc_one_01/', why: 'a project behind an empty system' },
  { path: '/jobs/hpc_one/proj_hpc_one_99/', why: 'an unknown project' },
  { path: '/jobs/hpc_one/PROJ_HPC_ONE_01/', why: 'a project in upper case' },
  { path: '/jobs/hpc_one/proj_hpc_two_01/', why: 'a project of the other system' },
  { path: '/jobs/hpc_two/proj_hpc_one_01/', why: 'a project of the other system' },
  { path: '/quotas//', why: 'an empty system' },
  { path: '/quotas/hpc_three/', why: 'an unknown system' },
  { path: '/quotas/HPC_TWO/', why: 'a system in upper case' },
  { path: '/quotas/proj_hpc_one_01/', why: 'a project without its system' },
  { path: '/quotas/hpc_one/proj_hpc_one_99/', why: 'an unknown project' },
  { path: '/quotas/hpc_one/proj_hpc_two_01/', why: 'a project of the other system' },
  { path: '/quotas/hpc_two/proj_hpc_two_01/x/y/', why: 'too many segments' },
  { path: '/projects/hpc_three/', why: 'an unknown system' },
  { path: '/projects/hpc_one/proj_hpc_two_01/', why: 'a project of the other system' },
  { path: '/projects/hpc_one/proj_hpc_one_01/x/', why: 'too many segments' },
  { path: '/hpc/hpc_one/', why: 'too many segments' },
  { path: '/status/hpc_one/', why: 'too many segments' },
  { path: '/admin/', why: 'nothing is there' },
];

/** Interface 4.1 and 7: identifiers that are not valid, below `/jobs/{hpc}/{project_name}/`. */
export const invalidJobIds: readonly { readonly id: string; readonly why: string }[] = [
  { id: '00000000-0000-4000-8000-000000000000', why: 'nobody has it' },
  { id: 'NGBW-JOB-NEURON74_TG-00000000000000000000000000000000', why: 'nobody has it' },
  { id: 'not-a-job', why: 'it has no valid form' },
  { id: '80', why: 'it is a record number' },
  { id: '0', why: 'it is no record number either' },
  { id: 'null', why: 'it is a word' },
  { id: '__proto__', why: 'it is a name of JavaScript' },
  { id: '%20', why: 'it is a space' },
  { id: '%00', why: 'it is a NUL' },
  { id: '%23', why: 'it is what the keys of the table are joined with' },
  { id: '%F0%9F%9A%80', why: 'it is a rocket' },
  { id: `A${'%C3%A9'.repeat(300)}`, why: 'it is long in bytes' },
  { id: 'A'.repeat(1025), why: 'it is longer than a key of the table can be' },
  { id: 'A'.repeat(6000), why: 'it is very long' },
];

/** A known path with another method: 405 with `Allow`, which names these at least. */
export const wrongMethods: readonly {
  readonly method: string;
  readonly path: string;
  readonly allow: readonly string[];
}[] = [
  { method: 'POST', path: '/jobs/', allow: ['GET'] },
  { method: 'PATCH', path: '/jobs/', allow: ['GET'] },
  { method: 'PUT', path: '/jobs/hpc_one/', allow: ['GET', 'POST'] },
  { method: 'PATCH', path: '/jobs/hpc_one/proj_hpc_one_01/', allow: ['GET', 'POST'] },
  { method: 'POST', path: '/jobs/hpc_one/proj_hpc_one_01/not-a-job/', allow: ['GET'] },
  { method: 'PATCH', path: '/quotas/', allow: ['GET'] },
  { method: 'POST', path: '/quotas/hpc_one/', allow: ['GET'] },
  { method: 'PATCH', path: '/quotas/hpc_one/proj_hpc_one_01/', allow: ['GET'] },
  { method: 'PATCH', path: '/admin/quotas/306328/', allow: ['GET'] },
  { method: 'PATCH', path: '/hpc/', allow: ['GET'] },
  { method: 'DELETE', path: '/projects/', allow: ['GET'] },
  { method: 'POST', path: '/status/', allow: ['GET'] },
];
