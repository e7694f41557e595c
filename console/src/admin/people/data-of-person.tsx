import { useState } from 'preact/hooks';
import { writeDay } from '#client/src/format/times/day.ts';
import type { Erasure } from '#client/src/index.ts';
import { saveText } from '../../browser/save.ts';
import { useService } from '../../connection/session.ts';
import { Button, TextField, useAttempt } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/loading.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { useDraft } from '../parts/quota-fields.tsx';
import { phrase } from './words.ts';

interface DataOfPersonProps {
  readonly user: string;
  readonly onChanged: () => void;
}

/** Exports what is kept about a person, and erases it. */
export function DataOfPerson({ user, onChanged }: DataOfPersonProps) {
  const service = useService();
  const { busy, error, attempt } = useAttempt();
  const [erasing, setErasing] = useState(false);
  const save = () =>
    attempt(async () => {
      const person = await service.exportUser({ user_id: user });
      saveText(`${JSON.stringify(person, null, 2)}\n`, `${user}.json`, 'application/json');
    });
  return (
    <section aria-labelledby="data-title">
      <h2 id="data-title">{phrase('dataOfPerson')}</h2>
      {error !== undefined && <ProblemNote error={error} />}
      <p class="line">
        <Button disabled={busy} onClick={() => void save()}>
          <Icon name="download" /> {phrase('exportPerson')}
        </Button>
        <Button class="danger" onClick={() => setErasing(true)}>
          {phrase('erasePersonAsk')}
        </Button>
      </p>
      {erasing && <EraseDialog user={user} onDone={onChanged} onClose={() => setErasing(false)} />}
    </section>
  );
}

function EraseDialog({ user, ...behind }: Behind & { readonly user: string }) {
  const { draft, field } = useDraft({ number: '' });
  return (
    <ActDialog
      title={phrase('erasePersonOf', { user })}
      act={phrase('erasePerson')}
      danger
      problems={checkNumber(draft.number, user)}
      reasonHint={phrase('eraseReason')}
      onAct={(service, reason) => service.eraseUser({ user_id: user, body: { reason } })}
      done={describeErasure}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('eraseTakes')}</p>
          <p>{phrase('eraseLeaves', { user })}</p>
          <TextField
            label={phrase('numberOfPerson')}
            hint={phrase('typeNumber', { user })}
            inputMode="numeric"
            {...field('number', wrong)}
          />
        </>
      )}
    </ActDialog>
  );
}

/** Nobody types another person's number by mistake, but a button is soon pressed. */
export function checkNumber(typed: string, user: string): ReadonlyMap<string, string> {
  return new Map(typed.trim() === user ? [] : [['number', phrase('typeNumber', { user })]]);
}

export function describeErasure({ user, removed, names_return: end }: Erasure): string {
  return removed.length > 0
    ? phrase('personErased', { user, day: writeDay(end) })
    : phrase('nothingToErase');
}
