export const user = {
  user: '306328',
  first_seen: '2026-11-15T08:30:00Z',
  banned: null,
  bans: [],
};

export const bannedUser = { ...user, banned: 'asked to stop' };

export const account = { user: '306328', hpc: 'hpc_one', account: 'ada' };

export const accountRow = { user_id: '306328', hpc: 'hpc_one', account: 'ada' };

export const accountTable = 'user_id,hpc,account\n306328,hpc_one,ada\n';

export const accountRows = [
  { line: 1, outcome: 'created', ...account },
  {
    line: 2,
    outcome: 'refused',
    problem: {
      type: 'urn:slipway:problem:invalid-request',
      title: 'The request is not valid',
      detail: "account: Jobs must not run as root. Name the user's own account.",
      errors: [
        {
          location: 'body',
          name: 'account',
          message: "Jobs must not run as root. Name the user's own account.",
        },
      ],
    },
  },
];

export const acts = [
  {
    act_id: '5c6a0f52-0f3a-4b8e-9a55-7d1f2c3e4b5a',
    kind: 'quota-granted',
    at: '2026-11-15T08:30:00Z',
    by: '100001',
    reason: 'a course in spring',
    user: '306328',
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    job_id: null,
    details: {
      time: { before: 18_000_000, after: 18_036_000 },
      space: { before: 10_000_000, after: 10_001_000 },
      valid_until: { before: null, after: '2027-07-01T00:00:00.000Z' },
    },
  },
];

export const openedProject = {
  id: 1_000_000,
  project_hpc: 'HPC_ONE',
  project_name: 'course_2027',
  default: false,
  max_living_jobs: 20,
  description: 'Neurons, for beginners',
  closed: false,
};
