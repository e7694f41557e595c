import { addressOf } from './address-of.ts';

interface AnyJob {
  readonly project_hpc: string;
  readonly project_name: string;
  readonly job_id: string;
}

interface AnyPlace {
  readonly project_hpc: string;
  readonly project_name: string;
}

/** The addresses of administrators' pages, for links. */
export const adminAddress = {
  requests: below('requests'),
  people: below('people'),
  grants: below('grants'),
  jobs: below('jobs'),
  projects: below('projects'),
  reports: below('reports'),
  audit: below('audit'),
  systems: below('systems'),
  person: (user: string) => below('people', user),
  ledger: (user: string, { project_hpc: hpc, project_name: project }: AnyPlace) =>
    below('people', user, hpc.toLowerCase(), project),
  job: ({ project_hpc: hpc, project_name: project, job_id: id }: AnyJob) =>
    below('jobs', hpc.toLowerCase(), project, id),
  project: ({ project_hpc: hpc, project_name: project }: AnyPlace) =>
    below('projects', hpc.toLowerCase(), project),
};

function below(...parts: readonly string[]): string {
  return `${addressOf.admin}${parts.map(encodeURIComponent).join('/')}/`;
}
