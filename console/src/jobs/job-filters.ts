/** Which jobs a list shows, as its address says it. */
export interface JobFilters {
  readonly state: JobState;
  readonly hpc: string;
  readonly project: string;
  readonly title: string;
}

export const jobStates = ['all', 'living', 'ended', 'failed'] as const;

type JobState = (typeof jobStates)[number];

export function readFilters(query: URLSearchParams): JobFilters {
  const text = (name: string) => query.get(name) ?? '';
  return {
    state: jobStates.find((state) => state === text('state')) ?? 'all',
    hpc: text('hpc'),
    project: text('hpc') === '' ? '' : text('project'),
    title: text('title'),
  };
}

/** What is usual is not said. */
export function writeFilters({ state, ...others }: JobFilters): Record<string, string | undefined> {
  return { ...others, state: state === 'all' ? undefined : state };
}

const asked = {
  all: {},
  living: { terminal: false },
  ended: { terminal: true },
  failed: { failed: true },
} as const satisfies Record<JobState, object>;

/** As the service is asked for them, the newest first. */
export function askFor({ state, hpc, project, title }: JobFilters) {
  return {
    order: 'desc' as const,
    ...asked[state],
    ...(hpc !== '' && { hpc }),
    ...(project !== '' && { project_name: project }),
    ...(title !== '' && { title }),
  };
}
