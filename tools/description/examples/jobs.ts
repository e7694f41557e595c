/** Copies the examples of the interface. */
export const job = {
  end_date: null,
  failed: false,
  id: 80,
  init_date: '2019-02-10T22:40:01Z',
  job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  owner: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  runtime: 2.0,
  stage: 'QUEUED',
  terminal_stage: false,
  title: 'a job title',
};

export const endedJob = {
  end_date: '2019-02-10T23:21:51Z',
  failed: false,
  id: 81,
  init_date: '2019-02-10T22:46:19Z',
  job_id: 'NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280',
  owner: '306328',
  project: 2,
  project_hpc: 'HPC_TWO',
  project_name: 'proj_hpc_two_01',
  runtime: 0.5,
  stage: 'COMPLETED',
  terminal_stage: true,
  title: 'a job title',
};

export const canceledJob = {
  ...job,
  stage: 'CANCELED',
  terminal_stage: true,
  end_date: '2019-02-10T22:41:01Z',
};

export const timeline = {
  job_id: job.job_id,
  stage: 'RUNNING',
  terminal_stage: false,
  reason: null,
  running_since: '2026-11-15T08:31:02Z',
  ran_seconds: null,
  stages: [
    { stage: 'QUEUED', since: '2026-11-15T08:30:00Z' },
    { stage: 'RUNNING', since: '2026-11-15T08:31:02Z' },
  ],
  tries: [
    {
      at: '2026-11-15T08:30:00Z',
      accepted: false,
      reason: 'The HPC system did not answer. It will be tried again.',
    },
    { at: '2026-11-15T08:30:02Z', accepted: true, reason: null },
  ],
};

export const estimate = {
  accepted: true,
  runtime: 2.0,
  held: { time: 14_400, space: 1.0 },
  left: { time: 17_985_600, space: 9_999_999.0 },
  living_jobs: 1,
  max_living_jobs: 1000,
};

export const upload = {
  upload_id: 'b0f5c5a4-7f6e-4f0e-9d55-1f0a7d5c2e11',
  filename: 'big.zip',
  length: 123_456_789,
  expires: '2026-11-15T09:30:00Z',
  method: 'PUT',
  address: 'https://storage.example/inputs/b0f5c5a4',
  headers: { 'Content-Length': '123456789', 'If-None-Match': '*' },
};
