import { everything } from '#client/src/changes/describe-change.ts';
import { type Charging, nameUnit, readNodeTime } from '#client/src/format/amounts/amounts.ts';
import { writeExactTime } from '#client/src/format/amounts/typed.ts';
import {
  lastDay,
  periods,
  type Renewal,
  readDayOfPeriod,
} from '#client/src/format/quotas/read-grant.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import type { Quota, QuotaWithUsage } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { chargingOf } from '../../live/catalog.ts';
import { echoTime } from '../../parts/echo.ts';
import { Options, SelectField, TextField } from '../../parts/form.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { useDraft } from '../parts/quota-fields.tsx';
import { phrase } from './words.ts';

type CurrentRenewal = NonNullable<QuotaWithUsage['usage']['renews']>;

const never = 'never';

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

/**
 * Reads a renewal: null to stop it, undefined while something is wrong. Space stays as it is, unless
 * `before` already renews it.
 */
export function readRenewal(
  { every, on, time, carryOver }: WrittenRenewal,
  before: Pick<Renewal, 'to' | 'carry_over'> | null,
) {
  const problems = new Map<string, string>();
  const period = periods.find((each) => each === every);
  if (period === undefined) return { renews: null, problems };
  const day = readDayOfPeriod(on);
  const isMonthly = period === 'monthly';
  if (!day || (isMonthly && day.month !== undefined)) {
    const last = { last: lastDay };
    problems.set('on', isMonthly ? phrase('enterDayOfMonth', last) : phrase('enterDay', last));
  }
  const seconds = readNodeTime(time) ?? -1;
  const kept = carryOver.trim() === '' ? 0 : (readNodeTime(carryOver) ?? -1);
  if (seconds <= 0) problems.set('time', phrase('enterTime'));
  if (kept < 0) problems.set('carryOver', phrase('enterCarriedOver'));
  if (!day || problems.size > 0) return { renews: undefined, problems };
  const renews: Renewal = {
    every: period,
    ...day,
    to: { time: seconds, space: before?.to.space ?? 0 },
    carry_over: { time: kept, space: before?.carry_over?.space ?? everything },
  };
  return { renews, problems };
}

/** Writes a renewal as somebody would type it. */
export function writeRenewal(renews: CurrentRenewal | null, charging: Charging): WrittenRenewal {
  if (!renews) return { every: never, on: '1', time: '', carryOver: '' };
  const { every, on, month, to, carry_over: kept } = renews;
  const first = new Date(Date.UTC(2000, (month ?? 1) - 1, 1)).toISOString();
  return {
    every,
    on:
      month === undefined || every === 'monthly'
        ? `${on}`
        : `${on} ${writeDay(first).split(' ')[1] ?? ''}`,
    time: writeExactTime(to.time, charging),
    carryOver: kept.time === 0 ? '' : writeExactTime(kept.time, charging),
  };
}

interface RenewDialogProps extends Behind {
  readonly quota: Quota;
}

/** Sets how a quota renews, or stops the renewal. */
export function RenewDialog({ quota, ...behind }: RenewDialogProps) {
  const { user, project_name: project, usage } = quota;
  const charging = chargingOf(quota.project_hpc);
  const { draft, field } = useDraft(() => writeRenewal(usage?.renews ?? null, charging));
  const { renews, problems } = readRenewal(draft, usage?.renews ?? null);
  return (
    <ActDialog
      title={phrase('renewalOf', { user, project })}
      act={renews === null ? phrase('stopRenewal') : phrase('setRenewal')}
      problems={problems}
      onAct={(service, reason) => {
        const body = { reason, renews: renews ?? null };
        return service.grantQuota({ user_id: user, ...placeOf(quota), body });
      }}
      done={renews ? phrase('renewalSet') : phrase('renewalStopped')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('renewalMeans')}</p>
          <SelectField
            label={phrase('period')}
            hint={
              usage?.renews?.next ? phrase('renewsNext', { day: writeDay(usage.renews.next) }) : ''
            }
            {...field('every', wrong)}
          >
            <option value={never}>{phrase('doesNotRenew')}</option>
            <Options of={periods} write={term} />
          </SelectField>
          {draft.every !== never && (
            <>
              <TextField
                label={phrase('day')}
                hint={draft.every === 'monthly' ? phrase('dayOfMonthHint') : phrase('dayHint')}
                {...field('on', wrong)}
              />
              <TextField
                label={phrase('timeOfPeriod')}
                hint={
                  echoTime(draft.time, charging) ?? phrase('timeHint', { unit: nameUnit(charging) })
                }
                {...field('time', wrong)}
              />
              <TextField
                label={phrase('carriedOver')}
                hint={echoTime(draft.carryOver, charging) ?? phrase('carriedOverHint')}
                {...field('carryOver', wrong)}
              />
            </>
          )}
        </>
      )}
    </ActDialog>
  );
}
