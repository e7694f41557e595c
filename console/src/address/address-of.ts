import { systemOf } from './system-of.ts';

const root = '/console/';

interface AnyJob {
  readonly project_hpc: string;
  readonly project_name: string;
  readonly job_id: string;
}

interface AnyAccount {
  readonly project_hpc: string;
  readonly project_name: string;
}

/** The addresses of pages, for links. */
export const addressOf = {
  home: root,
  jobs: `${root}jobs/`,
  submit: `${root}submit/`,
  quotas: `${root}quotas/`,
  requests: `${root}requests/`,
  webhooks: `${root}webhooks/`,
  admin: `${root}admin/`,
  job: (job: AnyJob) => below('jobs', systemOf(job), job.project_name, job.job_id),
  ledger: (account: AnyAccount) => below('quotas', systemOf(account), account.project_name),
  webhook: (id: string) => below('webhooks', id),
};

/** With what is asked for in it; what is empty is left out. */
export function withQuery(
  address: string,
  asked: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, value ?? '']));
  return query.size > 0 ? `${address}?${query}` : address;
}

function below(...parts: readonly string[]): string {
  return `${root}${parts.map(encodeURIComponent).join('/')}/`;
}
