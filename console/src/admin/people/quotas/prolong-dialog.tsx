import { useState } from 'preact/hooks';
import { writeDay } from '#client/src/format/write-day.ts';
import type { Quota } from '#client/src/index.ts';
import { systemOf } from '../../../address/system-of.ts';
import type { Session } from '../../../connection/session.ts';
import { clock } from '../../../live/clock.ts';
import { ActDialog } from '../../act/act-dialog.tsx';
import { readEnd } from '../../act/read-end.ts';
import { TextField } from '../../act/text-field.tsx';

interface ProlongDialogProps {
  readonly session: Session;
  readonly quota: Quota;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ProlongDialog({ session, quota, onDone, onClose }: ProlongDialogProps) {
  const { user, project_name: project, usage } = quota;
  const [until, setUntil] = useState('');
  const { end, problem } = readEnd(until, clock.value);
  const wrong = problem ?? (end === undefined ? 'Say until when, or never for no end.' : undefined);
  return (
    <ActDialog
      title={`Until when may ${user} use ${project}?`}
      act="Set it"
      problems={new Map(wrong === undefined ? [] : [['valid_until', wrong]])}
      onClose={onClose}
      onAct={async (reason) => {
        await session.service.grantQuota({
          user_id: user,
          hpc: systemOf(quota),
          project_name: project,
          body: { reason, ...(end !== undefined && { valid_until: end }) },
        });
        onDone();
        return 'The end is set.';
      }}
    >
      {(problems) => (
        <>
          <p>
            {usage && usage.valid_until !== null
              ? `Now it ends on ${writeDay(usage.valid_until)}.`
              : 'Now it has no end.'}{' '}
            After its last day nothing can be submitted, and what is left is taken back.
          </p>
          <TextField
            label="Last day"
            hint={end ? writeDay(end) : '31 March, 3 months, or never'}
            error={problems.get('valid_until')}
            value={until}
            onValue={setUntil}
          />
        </>
      )}
    </ActDialog>
  );
}
