import { ownStages } from '#lib/catalog/hpc-system.ts';

/** Where a job or a quota belongs, by the names and the number that are stored with it. */
export interface NamedProject {
  readonly hpc: string;
  readonly name: string;
  readonly number: number;
}

export interface ProjectUse extends NamedProject {
  readonly quotas: number;
  readonly jobs: number;
}

export interface LivingUse {
  readonly hpc: string;
  readonly stage: string;
  readonly jobs: number;
  /** What their ids are made like: `uuid`, or what stands before the tool in them. */
  readonly idForm: string;
  /** The id of one of them. */
  readonly example: string;
}

/** What of a catalog is named by what is stored. */
export interface CatalogUse {
  readonly projects: readonly ProjectUse[];
  readonly living: readonly LivingUse[];
}

/** Counts quota by quota and job by job: there may be millions, of few projects and stages. */
export function openUseCount() {
  const projects = new Map<string, ProjectUse>();
  const living = new Map<string, LivingUse>();
  const addTo = (project: NamedProject, more: { quotas: number; jobs: number }) => {
    const { hpc, name, number } = project;
    const key = `${hpc} ${name} ${number}`;
    const { quotas, jobs } = projects.get(key) ?? { quotas: 0, jobs: 0 };
    projects.set(key, { hpc, name, number, quotas: quotas + more.quotas, jobs: jobs + more.jobs });
  };
  return {
    addQuota: (project: NamedProject) => addTo(project, { quotas: 1, jobs: 0 }),
    addJob: (project: NamedProject) => addTo(project, { quotas: 0, jobs: 1 }),
    /** One that was opened at run time, whether or not anything is in it. */
    addOpened: (project: NamedProject) => addTo(project, { quotas: 0, jobs: 0 }),
    addLiving: (hpc: string, stage: string, jobId: string) => {
      if (isOwnStage(stage)) return;
      const idForm = formOf(jobId);
      const key = `${hpc} ${stage} ${idForm}`;
      const known = living.get(key) ?? { hpc, stage, jobs: 0, idForm, example: jobId };
      living.set(key, { ...known, jobs: known.jobs + 1 });
    },
    result: (): CatalogUse => ({ projects: [...projects.values()], living: [...living.values()] }),
  };
}

export type UseCount = ReturnType<typeof openUseCount>;

const uuid = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

function formOf(jobId: string): string {
  return uuid.test(jobId) ? 'uuid' : jobId.replace(/-[A-Z0-9_]+-[0-9A-F]{32}$/, '');
}

/** The life of a cancelled job goes on until its system has been told. */
function isOwnStage(stage: string): boolean {
  return stage === ownStages.canceled || stage === ownStages.deleted;
}
