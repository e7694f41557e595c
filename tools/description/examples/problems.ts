const message = 'It must be a number of hours, at least 0.000001, for example "2.0".';

/** Holds the additional members of problems, by name. */
export const problemMembers: Readonly<Record<string, object>> = {
  'invalid-request': {
    detail: `runtime: ${message}`,
    errors: [{ location: 'payload', name: 'runtime', message }],
  },
  'quota-exceeded': {
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    charging: 'node',
    asked: { time: 14_400, space: 1 },
    left: { time: 3600, space: 9_999_999 },
  },
  'too-many-calls': { limit: 10 },
  banned: { reason: 'asked to stop' },
};
