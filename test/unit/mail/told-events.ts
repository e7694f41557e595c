import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { nothing } from '#lib/quotas/quota.ts';
import type { Statement } from '#lib/statements/read-statement.ts';
import { systemName, userId } from '#test/fixtures/names.ts';

export const place = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };

export const job = {
  ...place,
  job_id: 'AF17D39A',
  title: 'a job title',
  stage: 'SUCCESSFUL',
  failed: false,
  init_date: '2026-11-15T08:30:00Z',
};
export const quota = {
  ...place,
  resource: 'time',
  threshold_percent: 20,
  granted: 18_000_000,
  time_left: 3_599_999,
  space_left: 900_000,
};
export const request = {
  ...place,
  time: 1_800_000,
  space: 20_000_000,
  state: 'approved',
  decision: { time: 3600, space: null, reason: 'for the course', valid_until: null },
};

export const batch = {
  ...place,
  batch_id: '019A',
  title: 'a sweep',
  count: 200,
  counts: { done: 196, failed: 3, cancelled: 1 },
};
export const maintenance = {
  hpc: 'hpc_one',
  from: '2026-12-01T08:00:00Z',
  until: '2026-12-01T16:00:00Z',
  reason: 'New firmware',
};

const system = findSystem(catalog, systemName('hpc_one'));
const amount = (hours: number, gigabytes = 0) => ({
  seconds: hours * 3600,
  kilobytes: gigabytes * 1e6,
});
const row = {
  user: userId('1'),
  opening: amount(100, 5),
  granted: amount(20),
  expired: nothing,
  corrected: nothing,
  shared: nothing,
  used: amount(30.5),
  drawn: nothing,
  reserved: nothing,
  closing: amount(89.5, 5),
  jobs: 3,
};
export const statement: Statement = {
  project: findProject(system, 'proj_hpc_one_01'),
  month: '2026-10',
  until: new Date('2026-11-01T00:00:00Z'),
  closed: true,
  rows: [row, { ...row, user: userId('2'), granted: nothing, closing: amount(69.5, 5) }],
};
