/** What a service answers, by path. */
export type Answers = Readonly<Record<string, unknown>>;

export type Call = (path: string) => Promise<unknown>;

interface Listed {
  readonly job_id: string;
  readonly terminal_stage: boolean;
  readonly project_hpc: string;
  readonly project_name: string;
}

/** Asks for everything of a user that must outlast an update. Jobs that still run change anyway. */
export async function readAnswers(call: Call): Promise<Answers> {
  const jobs = await listJobs(call);
  const ended = jobs.filter(({ terminal_stage: isEnded }) => isEnded).map(pathOf);
  const accounts = new Set(
    jobs.map((job) => `/quotas/${job.project_hpc.toLowerCase()}/${job.project_name}/`),
  );
  const paths = [
    ...ended.flatMap((path) => [path, `${path}timeline/`, path.replace('/jobs/', '/files/')]),
    ...[...accounts].map((path) => `${path}ledger/`),
    '/webhooks/',
  ];
  const answers = await Promise.all(paths.map(async (path) => [path, await call(path)] as const));
  return { ...Object.fromEntries(answers), renewals: await readRenewals(call) };
}

/** Reads of each quota what does not change while jobs run and time passes. */
async function readRenewals(call: Call): Promise<object[]> {
  const quotas = await call('/quotas/?expand=usage');
  if (!Array.isArray(quotas)) return [];
  return quotas.map(({ project_name: project, usage }) => {
    const { next: _, ...renews } = usage.renews ?? {};
    return { project, end: usage.valid_until, renews };
  });
}

export async function listJobs(call: Call): Promise<readonly Listed[]> {
  const jobs = await call('/jobs/');
  return Array.isArray(jobs) ? jobs : [];
}

export function pathOf({ project_hpc: hpc, project_name: project, job_id: id }: Listed): string {
  return `/jobs/${hpc.toLowerCase()}/${project}/${id}/`;
}
