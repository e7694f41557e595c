import { ownStages } from '#lib/catalog/hpc-system.ts';

/** The project of a job or a quota, with the names and the number that are stored with it. */
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
  /** The form of their ids: `uuid`, or the prefix in front of the tool. */
  readonly idForm: string;
  /** The id of one of these jobs. */
  readonly example: string;
}

/** The projects and stages of a catalog that stored jobs and quotas refer to. */
export interface CatalogUse {
  readonly projects: readonly ProjectUse[];
  readonly living: readonly LivingUse[];
}

/** Counts one item at a time, because there may be millions. Only projects and stages are kept. */
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
    /** Adds a project that was opened at run time, even if it is empty. */
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

/** Cancelled jobs stay active until their system is told. Their stage is not in the catalog. */
function isOwnStage(stage: string): boolean {
  return stage === ownStages.canceled || stage === ownStages.deleted;
}
