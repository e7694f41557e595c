const reason = 'a course';
const monthly = { every: 'monthly', on: 1, to: { time: 1, space: 1 } };

function renewalNames(...fields: readonly string[]): string[] {
  return fields.map((field) => `body renews.${field}`);
}

/** Bodies of `PUT /admin/quotas/...` that must be refused with 400, and what of them is named. */
export const badGrants: readonly { readonly body: unknown; readonly named: string[] }[] = [
  ...[[], null, 'text', 1].map((body) => ({ body, named: ['body body'] })),
  { body: { reason }, named: ['body body'] },
  { body: { set: { time: 1 } }, named: ['body reason'] },
  { body: { reason: '', set: { time: 1 } }, named: ['body reason'] },
  { body: { reason: 'a'.repeat(501), set: { time: 1 } }, named: ['body reason'] },
  { body: { reason, set: { time: 1 }, add: { time: 1 } }, named: ['body add', 'body set'] },
  { body: { reason, set: {} }, named: ['body set'] },
  { body: { reason, set: { time: -1 } }, named: ['body set.time'] },
  { body: { reason, set: { time: 0.5 } }, named: ['body set.time'] },
  { body: { reason, add: { space: '1' } }, named: ['body add.space'] },
  { body: { reason, add: { hours: 1 } }, named: ['body add.hours'] },
  { body: { reason, valid_until: '2020-01-01T00:00:00Z' }, named: ['body valid_until'] },
  { body: { reason, valid_until: '2099-02-29' }, named: ['body valid_until'] },
  { body: { reason, valid_until: 1 }, named: ['body valid_until'] },
  { body: { reason, renews: { every: 'weekly', on: 1 } }, named: renewalNames('every', 'to') },
  { body: { reason, renews: { ...monthly, on: 29 } }, named: renewalNames('on') },
  { body: { reason, renews: { ...monthly, month: 2 } }, named: renewalNames('month') },
  { body: { reason, set: { time: 1 }, user: '1' }, named: ['body user'] },
];

/** Queries of administrators' lists that must be refused with 400. */
export const badAdminQueries: readonly { readonly path: string; readonly named: string[] }[] = [
  { path: '/admin/quotas/?limit=0', named: ['query limit'] },
  { path: '/admin/quotas/?limit=101', named: ['query limit'] },
  { path: '/admin/quotas/?hpc=hpc_one&cursor=x', named: ['query cursor'] },
  { path: '/admin/quotas/?hpc=HPC_ONE', named: ['query hpc'] },
  { path: '/admin/quotas/?project=proj_hpc_one_99', named: ['query project'] },
  { path: '/admin/quotas/?hpc=hpc_one&project=proj_hpc_two_01', named: ['query project'] },
  { path: '/admin/quotas/?user=alice', named: ['query user'] },
  { path: '/admin/quotas/?expand=all', named: ['query expand'] },
  { path: '/admin/quotas/?stage=QUEUED', named: ['query stage'] },
  { path: '/admin/quotas/1/?limit=1', named: ['query limit'] },
  { path: '/admin/audit/?limit=101', named: ['query limit'] },
  {
    path: '/admin/audit/?kind=x&by=alice&user=-1',
    named: ['query by', 'query kind', 'query user'],
  },
  { path: '/admin/audit/?since=soon&until=later', named: ['query since', 'query until'] },
];
