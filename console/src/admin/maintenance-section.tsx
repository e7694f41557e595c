import { useState } from 'preact/hooks';
import {
  describeMaintenance,
  type MaintenanceWindow,
  nameByDay,
} from '#client/src/format/systems/describe-maintenance.ts';
import { readDay } from '#client/src/format/times/day.ts';
import { clock } from '../live/clock.ts';
import { Button, TextField } from '../parts/form.tsx';
import { ActDialog, type Behind } from './parts/act-dialog.tsx';
import { useDraft } from './parts/quota-fields.tsx';
import { phrase } from './words.ts';

interface MaintenanceSectionProps {
  readonly hpc: string;
  readonly windows: readonly MaintenanceWindow[];
  readonly onChanged: () => void;
}

type Acting =
  | { readonly act: 'announce' | 'pause' | 'resume' }
  | { readonly act: 'withdraw'; readonly name: string };

/** Lists the maintenance of a system. Administrators announce, withdraw, pause and resume here. */
export function MaintenanceSection({ hpc, windows, onChanged }: MaintenanceSectionProps) {
  const [acting, setActing] = useState<Acting>();
  const isPaused = windows.some(isPause);
  const behind = { hpc, onDone: onChanged, onClose: () => setActing(undefined) };
  return (
    <>
      {windows.map((window) => (
        <p key={`${window.source} ${window.name}`} class="line">
          <span>{describeMaintenance(hpc, window, clock.value)}</span>
          {window.source === 'administrator' && !isPause(window) && (
            <Button onClick={() => setActing({ act: 'withdraw', name: window.name })}>
              {phrase('withdrawAsk')}
            </Button>
          )}
        </p>
      ))}
      <p class="line">
        <Button onClick={() => setActing({ act: 'announce' })}>{phrase('announceAsk')}</Button>
        <Button onClick={() => setActing({ act: isPaused ? 'resume' : 'pause' })}>
          {isPaused ? phrase('resumeAsk') : phrase('pauseAsk')}
        </Button>
      </p>
      {acting?.act === 'announce' && <AnnounceDialog {...behind} />}
      {acting?.act === 'withdraw' && <WithdrawDialog name={acting.name} {...behind} />}
      {acting?.act === 'pause' && <PauseDialog {...behind} />}
      {acting?.act === 'resume' && <ResumeDialog {...behind} />}
    </>
  );
}

function isPause({ name, source, until }: MaintenanceWindow): boolean {
  return source === 'administrator' && name === 'pause' && until === null;
}

interface DialogProps extends Behind {
  readonly hpc: string;
}

function AnnounceDialog({ hpc, ...behind }: DialogProps) {
  const { draft, field } = useDraft({ from: '', until: '' });
  const { problems, body } = readWindow(draft, clock.value);
  return (
    <ActDialog
      title={phrase('announceFor', { hpc })}
      act={phrase('announce')}
      reasonHint={phrase('everybodyReads')}
      problems={problems}
      onAct={async (service, reason) => {
        if (!body) return;
        const window_name = nameByDay(body.from);
        await service.announceMaintenance({ hpc, window_name, body: { ...body, reason } });
      }}
      done={phrase('announced')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('announceMeans')}</p>
          <TextField label={phrase('from')} hint={phrase('timeHint')} {...field('from', wrong)} />
          <TextField label={phrase('until')} hint={phrase('timeHint')} {...field('until', wrong)} />
        </>
      )}
    </ActDialog>
  );
}

function WithdrawDialog({ hpc, name, ...behind }: DialogProps & { readonly name: string }) {
  return (
    <ActDialog
      title={phrase('withdrawFrom', { hpc })}
      act={phrase('withdraw')}
      reasonHint={phrase('auditKeepsReason')}
      onAct={(service, reason) =>
        service.withdrawMaintenance({ hpc, window_name: name, body: { reason } })
      }
      done={phrase('withdrawn')}
      {...behind}
    >
      <p>{phrase('goOnSoon')}</p>
    </ActDialog>
  );
}

function PauseDialog({ hpc, ...behind }: DialogProps) {
  return (
    <ActDialog
      title={phrase('pauseSystem', { hpc })}
      act={phrase('pause')}
      reasonHint={phrase('everybodyReads')}
      onAct={(service, reason) => service.pauseSystem({ hpc, body: { reason } })}
      done={phrase('paused')}
      {...behind}
    >
      <p>{phrase('pauseMeans')}</p>
    </ActDialog>
  );
}

function ResumeDialog({ hpc, ...behind }: DialogProps) {
  return (
    <ActDialog
      title={phrase('resumeSystem', { hpc })}
      act={phrase('resume')}
      reasonHint={phrase('auditKeepsReason')}
      onAct={(service, reason) => service.resumeSystem({ hpc, body: { reason } })}
      done={phrase('resumed')}
      {...behind}
    >
      <p>{phrase('goOnSoon')}</p>
    </ActDialog>
  );
}

/** Reads the times of a window, in the reader's time zone. */
export function readWindow(
  { from, until }: { readonly from: string; readonly until: string },
  now: Date,
) {
  const [begins, ends] = [readTime(from, now), readTime(until, now)];
  const problems = new Map<string, string>();
  if (!begins) problems.set('from', phrase('wrongTime'));
  if (!ends) problems.set('until', phrase('wrongTime'));
  else if (ends <= now || (begins && ends <= begins)) problems.set('until', phrase('endsTooEarly'));
  const body =
    problems.size === 0 && begins && ends
      ? { from: begins.toISOString(), until: ends.toISOString() }
      : undefined;
  return { problems, body };
}

function readTime(text: string, now: Date): Date | undefined {
  const [, typed = '', time] = /^(.*)[ T](\d{2}:\d{2})$/.exec(text.trim()) ?? [];
  const at = new Date(`${readDay(typed.replace(/,$/, ''), now)}T${time}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
