import type { Catalog } from '../connection/use-catalog.ts';
import type { Draft } from './draft.ts';
import type { Input } from './input/prepare-input.ts';
import { recallLast, recallSubmission } from './remembered.ts';

export interface Beginning {
  readonly draft: Draft;
  readonly input: Input | undefined;
  /** What could not be brought back, and is to be filled in again. */
  readonly missing: string | undefined;
}

/** What a form begins with: the job that is run again, or what was submitted last. */
export function beginDraft(query: URLSearchParams, { systems }: Catalog): Beginning {
  const again = query.get('again');
  const known = again === null ? undefined : recallSubmission(again);
  const draft = complete(known?.draft ?? recallLast());
  if (known?.input) return { draft, input: known.input, missing: undefined };
  if (known)
    return {
      draft,
      input: undefined,
      missing: 'Its input is not kept here: drop it again, if it had one.',
    };
  if (again === null) return { draft, input: undefined, missing: undefined };
  return {
    draft: complete({ ...draft, hpc: query.get('hpc') ?? '', project: query.get('project') ?? '' }),
    input: undefined,
    missing:
      'It was not submitted from this browser, so its command and its input are not known here.',
  };

  function complete(begun: Draft): Draft {
    const exists = systems.some(({ name }) => name === begun.hpc);
    return exists ? begun : { ...begun, hpc: systems[0]?.name ?? '', project: '' };
  }
}
