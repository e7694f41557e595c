/** Query parameters that must be refused with 400, by name (design 2, Lists). */
export const badQueries: readonly { readonly query: string; readonly named: string[] }[] = [
  ...['0', '-1', '1001', '99999', '1.5', 'ten', '', '1e2', '%EF%BC%91'].map((value) =>
    bad('limit', value),
  ),
  ...['', 'x', '1', '1.AAAAAAAAAAAAAAAAAAAAAA', 'eyJpZCI6MX0', '%00'].map((value) =>
    bad('cursor', value),
  ),
  ...['', 'up', 'DESC', 'ascending'].map((value) => bad('order', value)),
  ...['', '1', 'yes', 'TRUE', 'null'].map((value) => bad('terminal', value)),
  ...['', '0', 'no', 'False'].map((value) => bad('failed', value)),
  ...['', 'NOPE', 'queued', 'QUEUED,READY'].map((value) => bad('stage', value)),
  bad('title', ''),
  ...['', 'yesterday', '1549838401', '2026-13-01', '2026-02-30', '2026-01-31T08:00:00'].flatMap(
    (value) => [bad('since', value), bad('until', value)],
  ),
  { query: 'limit=1&limit=2', named: ['query limit'] },
  { query: 'stage=QUEUED&stage=QUEUED', named: ['query stage'] },
  { query: 'page=2', named: ['query page'] },
  { query: 'Limit=2', named: ['query Limit'] },
  { query: 'owner=1', named: ['query owner'] },
  { query: '__proto__=1', named: ['query __proto__'] },
  { query: 'limit=0&order=up&page=2', named: ['query limit', 'query order', 'query page'] },
];

/** The same for the ledger of a quota. */
export const badLedgerQueries: readonly { readonly query: string; readonly named: string[] }[] = [
  ...['0', '1001', 'ten', ''].map((value) => bad('limit', value)),
  ...['', 'x', '28.AAAAAAAAAAAAAAAAAAAAAA'].map((value) => bad('cursor', value)),
  ...['', 'yesterday', '2026-02-30'].flatMap((value) => [bad('since', value), bad('until', value)]),
  ...['', 'week', 'DAY'].map((value) => bad('sum', value)),
  { query: 'sum=day&limit=1', named: ['query limit'] },
  { query: 'sum=job&cursor=x', named: ['query cursor'] },
  { query: 'order=asc', named: ['query order'] },
  { query: 'expand=usage', named: ['query expand'] },
];

/** What takes no parameters at all. */
export const pathsWithoutQuery = [
  '/quotas/',
  '/quotas/hpc_one/',
  '/quotas/hpc_one/proj_hpc_one_01/',
  '/webhooks/',
  '/hpc/',
  '/projects/',
] as const;

function bad(name: string, value: string) {
  return { query: `${name}=${value}`, named: [`query ${name}`] };
}
