import { type Catalog, openProjects } from '../connection/use-catalog.ts';
import type { Draft } from './draft.ts';
import type { Input } from './input/prepare-input.ts';
import { recallLast, recallSubmission } from './remembered.ts';

export interface Beginning {
  readonly draft: Draft;
  readonly input: Input | undefined;
  /** What could not be brought back, and is to be filled in again. */
  readonly missing: string | undefined;
}

/** What was submitted last is what the next form begins with. */
export function beginDraft(catalog: Catalog): Beginning {
  return { draft: complete(recallLast(), catalog), input: undefined, missing: undefined };
}

/** What this browser knows of a job that it submitted. */
export function beginAgain(jobId: string, catalog: Catalog): Beginning | undefined {
  const known = recallSubmission(jobId);
  return (
    known && {
      draft: complete(known.draft, catalog),
      input: known.input,
      missing: known.input
        ? undefined
        : 'Its input is not kept here: drop it again, if it had one.',
    }
  );
}

/** A catalog changes: what is no longer there, or closed, is not offered. */
function complete(begun: Draft, catalog: Catalog): Draft {
  const { systems } = catalog;
  const system = systems.find(({ name }) => name === begun.hpc);
  if (!system) return { ...begun, hpc: systems[0]?.name ?? '', project: '' };
  const isOpen = openProjects(catalog).some(
    ({ project_hpc: hpc, project_name: name }) =>
      hpc === system.project_hpc && name === begun.project,
  );
  return isOpen ? begun : { ...begun, project: '' };
}
