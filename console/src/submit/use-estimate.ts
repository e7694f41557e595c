import { useEffect, useState } from 'preact/hooks';
import type { Estimate, System } from '#client/src/index.ts';
import type { Session } from '../connection/session.ts';
import { type Draft, judgeDraft, toSubmission } from './draft.ts';
import type { Input } from './input/prepare-input.ts';

const pauseMs = 400;

export interface Estimated {
  readonly estimate: Estimate | undefined;
  readonly error: unknown;
  /** What it is the estimate of: while somebody types, the one before is still shown. */
  readonly of: Draft;
}

/** One dry run for each pause in typing. */
export function useEstimate(
  { service }: Session,
  draft: Draft,
  system: System | undefined,
  input: Input | undefined,
): Estimated {
  const [estimated, setEstimated] = useState<Estimated>({
    estimate: undefined,
    error: undefined,
    of: draft,
  });
  useEffect(() => {
    if (!system || judgeDraft(draft).size > 0 || draft.program.trim() === '') {
      setEstimated({ estimate: undefined, error: undefined, of: draft });
      return;
    }
    const leaving = new AbortController();
    const ask = async () => {
      const submission = { ...toSubmission(draft, system), signal: leaving.signal };
      try {
        const estimate = await service.estimate({
          ...submission,
          ...(input && { input: input.zip }),
        });
        setEstimated({ estimate, error: undefined, of: draft });
      } catch (error) {
        if (!leaving.signal.aborted) setEstimated({ estimate: undefined, error, of: draft });
      }
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [draft, system, input]);
  return estimated;
}
