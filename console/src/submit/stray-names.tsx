import { useEffect, useState } from 'preact/hooks';
import type { System } from '#client/src/index.ts';
import { findNamesInBraces } from '#client/src/jobs/names-in-braces.ts';
import { useService } from '../connection/session.ts';
import { Switch } from '../parts/form.tsx';
import { type Draft, programFieldOf, toSubmission } from './draft.ts';
import type { Input } from './prepare-input.ts';
import { addInput, type Estimated, isMany } from './price-panel.tsx';
import { phrase } from './words.ts';

/**
 * Refuses a batch with names in braces that no column has, which would otherwise be run, and charged,
 * once for each row. Whoever means them says so.
 */
export function useStrayNames(draft: Draft, input: Input | undefined, { estimate, of }: Estimated) {
  const service = useService();
  const [asked, setNames] = useState('');
  const [mayStay, setMayStay] = useState(false);
  useEffect(() => {
    setNames('');
    setMayStay(false);
  }, [draft, input]);
  const estimated =
    of === draft && estimate && isMany(estimate)
      ? findNamesInBraces(estimate.preview).join(', ')
      : '';
  const names = asked || estimated;
  return {
    /** Asks again, because the price that is shown may be of an earlier draft. */
    isFound: async (system: System): Promise<boolean> => {
      if (mayStay) return false;
      const submission = await addInput(toSubmission(draft, system), draft, input);
      const { preview } = await service.estimateBatch(submission);
      const found = findNamesInBraces(preview).join(', ');
      setNames(found);
      return found !== '';
    },
    problemsOn: (system: System) =>
      names && !mayStay
        ? [[programFieldOf(system), phrase('correctNames', { names })] as const]
        : [],
    choice: names && (
      <Switch on={mayStay} onSwitch={setMayStay}>
        {phrase('leaveNames', { names })}
      </Switch>
    ),
  };
}
