export const request = {
  request_id: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
  user: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  time: 36_000,
  space: 1000.0,
  reason: 'a course in spring',
  state: 'open',
  opened: '2026-11-15T08:30:00Z',
  ended: null,
  decision: null,
};

const ended = '2026-11-15T09:12:40Z';

export const withdrawnRequest = { ...request, state: 'withdrawn', ended };

/** The same request with the field that only administrators see. */
export const judgedRequest = { ...request, banned: null };

export const approvedRequest = {
  ...judgedRequest,
  state: 'approved',
  ended,
  decision: {
    by: '100001',
    reason: 'as every year',
    time: 36_000,
    space: 1000.0,
    valid_until: '2027-07-01T00:00:00Z',
  },
};

export const declinedRequest = {
  ...judgedRequest,
  state: 'declined',
  ended,
  decision: {
    by: '100001',
    reason: 'the course has a project of its own',
    time: null,
    space: null,
    valid_until: null,
  },
};
