import { useState } from 'preact/hooks';
import { everything } from '#client/src/changes/describe-change.ts';
import {
  type Charging,
  nameUnit,
  readNodeTime,
  writeNodeTime,
} from '#client/src/format/amounts.ts';
import { findMonth, writeDay } from '#client/src/format/day.ts';
import type { GrantRow, Quota, QuotaWithUsage } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { systemOf } from '../../browser/address.ts';
import { useService } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { SelectField, TextField } from '../../parts/form.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { phrase } from './words.ts';

type Renewal = NonNullable<GrantRow['renews']>;
type CurrentRenewal = NonNullable<QuotaWithUsage['usage']['renews']>;

const never = 'never';
const periods = ['monthly', 'quarterly', 'yearly'] as const satisfies Renewal['every'][];

/** A renewal as typed. */
export interface WrittenRenewal {
  readonly every: string;
  /** `1`, or `1 October` for quarters and years that do not begin in January. */
  readonly on: string;
  /** Granted in each period. */
  readonly time: string;
  /** The most remaining time that is kept at a renewal. Empty for none. */
  readonly carryOver: string;
}

export interface ReadRenewal {
  /** Null to stop the renewal, undefined while something is wrong. */
  readonly renews: Renewal | null | undefined;
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads a renewal. Space stays as it is, unless `before` already renews it. */
export function readRenewal(
  { every, on, time, carryOver }: WrittenRenewal,
  before: Pick<Renewal, 'to' | 'carry_over'> | null,
): ReadRenewal {
  const period = periods.find((each) => each === every);
  if (period === undefined) return { renews: null, problems: new Map() };
  const problems = new Map<string, string>();
  const day = readDay(on, period === 'monthly');
  if (!day) {
    const last = { last: lastDay };
    problems.set(
      'on',
      period === 'monthly' ? phrase('enterDayOfMonth', last) : phrase('enterDay', last),
    );
  }
  const seconds = readNodeTime(time) ?? -1;
  const kept = carryOver.trim() === '' ? 0 : (readNodeTime(carryOver) ?? -1);
  if (seconds <= 0) problems.set('time', phrase('enterTime'));
  if (kept < 0) problems.set('carryOver', phrase('enterCarriedOver'));
  if (!day || problems.size > 0) return { renews: undefined, problems };
  return {
    renews: {
      every: period,
      ...day,
      to: { time: seconds, space: before?.to.space ?? 0 },
      carry_over: { time: kept, space: before?.carry_over?.space ?? everything },
    },
    problems,
  };
}

/** The last day that every month has. */
const lastDay = 28;

function readDay(text: string, isMonthly: boolean): Pick<Renewal, 'on' | 'month'> | undefined {
  const [, day = '', word] =
    /^(\d{1,2})(?:st|nd|rd|th)?\.?(?:\s+(\p{L}+))?$/iu.exec(text.trim()) ?? [];
  const on = Number(day);
  if (on < 1 || on > lastDay) return undefined;
  if (word === undefined) return { on };
  const month = findMonth(word);
  return month === undefined || isMonthly ? undefined : { on, month };
}

/** Writes a renewal as somebody would type it. */
export function writeRenewal(renews: CurrentRenewal | null, charging: Charging): WrittenRenewal {
  if (!renews) return { every: never, on: '1', time: '', carryOver: '' };
  const { every, on, month, to, carry_over: kept } = renews;
  const first = new Date(Date.UTC(2000, (month ?? 1) - 1, 1)).toISOString();
  return {
    every,
    on: month === undefined || every === 'monthly' ? `${on}` : `${on} ${monthOf(first)}`,
    time: writeExactly(to.time, charging),
    carryOver: kept.time === 0 ? '' : writeExactly(kept.time, charging),
  };
}

/** Writes an amount as people do, unless that would round it. */
function writeExactly(seconds: number, charging: Charging): string {
  const written = writeNodeTime(seconds, charging);
  return readNodeTime(written) === seconds ? written : `${seconds / 3600}`;
}

function monthOf(moment: string): string {
  return writeDay(moment).split(' ')[1] ?? '';
}

interface RenewDialogProps {
  readonly quota: Quota;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Sets how a quota renews, or stops the renewal. */
export function RenewDialog({ quota, onDone, onClose }: RenewDialogProps) {
  const service = useService();
  const { user, project_name: project, usage } = quota;
  const charging = chargingOf(quota.project_hpc);
  const [written, setWritten] = useState(() => writeRenewal(usage?.renews ?? null, charging));
  const write = (changed: Partial<WrittenRenewal>) => setWritten({ ...written, ...changed });
  const { renews, problems } = readRenewal(written, usage?.renews ?? null);
  return (
    <ActDialog
      title={phrase('renewalOf', { user, project })}
      act={renews === null ? phrase('stopRenewal') : phrase('setRenewal')}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const place = { user_id: user, hpc: systemOf(quota), project_name: project };
        await service.grantQuota({ ...place, body: { reason, renews: renews ?? null } });
        onDone();
        return renews ? phrase('renewalSet') : phrase('renewalStopped');
      }}
    >
      {(wrong) => (
        <>
          <p>{phrase('renewalMeans')}</p>
          <SelectField
            label={phrase('period')}
            value={written.every}
            onValue={(every) => write({ every })}
            hint={
              usage?.renews?.next ? phrase('renewsNext', { day: writeDay(usage.renews.next) }) : ''
            }
          >
            <option value={never}>{phrase('doesNotRenew')}</option>
            {periods.map((each) => (
              <option key={each} value={each}>
                {term(each)}
              </option>
            ))}
          </SelectField>
          {written.every !== never && (
            <>
              <TextField
                label={phrase('day')}
                hint={written.every === 'monthly' ? phrase('dayOfMonthHint') : phrase('dayHint')}
                error={wrong.get('on')}
                value={written.on}
                onValue={(on) => write({ on })}
              />
              <TextField
                label={phrase('timeOfPeriod')}
                hint={phrase('timeHint', { unit: nameUnit(charging) })}
                error={wrong.get('time')}
                value={written.time}
                onValue={(time) => write({ time })}
              />
              <TextField
                label={phrase('carriedOver')}
                hint={phrase('carriedOverHint')}
                error={wrong.get('carryOver')}
                value={written.carryOver}
                onValue={(carryOver) => write({ carryOver })}
              />
            </>
          )}
        </>
      )}
    </ActDialog>
  );
}
