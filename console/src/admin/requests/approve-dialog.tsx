import { given } from '#client/src/calls/given.ts';
import {
  type Charging,
  nameUnit,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { type JudgedRequest, type Quota, SlipwayProblem } from '#client/src/index.ts';
import { useSession } from '../../connection/session.ts';
import { chargingOf, isShared } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { QuotaFields, useDraft } from '../parts/quota-fields.tsx';
import { type Draft, readFields } from '../parts/read-fields.ts';
import { phrase } from './words.ts';

const words = {
  same: () => phrase('approveRequest'),
  less: () => phrase('approveLess'),
  more: () => phrase('approveMore'),
} as const;

export function ApproveDialog({
  request,
  ...behind
}: Behind & { readonly request: JudgedRequest }) {
  const charging = chargingOf(request.project_hpc);
  const { administrator } = useSession();
  const held = useHeld(request);
  const { draft, field } = useDraft(() => beginDecision(request, charging));
  const { problems, body } = readDecision(draft, request, { charging, now: clock.value });
  return (
    <ActDialog
      title={phrase('askApprove', { user: request.user })}
      act={words[problems.size > 0 ? 'same' : compareDecision(body, request)]()}
      problems={problems}
      onAct={(service, reason) =>
        service.approveRequest({ request_id: request.request_id, body: { ...body, reason } })
      }
      done={phrase('approved')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>
            {phrase('addedAtOnce', { project: request.project_name })}{' '}
            {administrator && <BudgetNote request={request} />}
            {held && <span>{describeHeld(request, held.quota)}</span>}
          </p>
          <QuotaFields
            field={field}
            wrong={wrong}
            charging={charging}
            hints={{
              time: phrase('timeHint'),
              space: phrase('spaceHint'),
              until: phrase('untilHint'),
            }}
          />
          {held && leavesNoSpace(body, request, held.quota) && (
            <p class="warning" role="status">
              {phrase('noSpace', { user: request.user })}
            </p>
          )}
        </>
      )}
    </ActDialog>
  );
}

interface Held {
  /** Undefined if the user has no quota there. */
  readonly quota: Quota | undefined;
}

/** Reads what the user already has there, which helps to decide. */
function useHeld(request: JudgedRequest): Held | undefined {
  const { user, project_hpc: hpc, project_name: project } = request;
  const { value } = useLive(`held ${user} ${hpc} ${project}`, async (service, signal) => {
    const asked = { user_id: user, ...placeOf(request), expand: 'usage' } as const;
    try {
      return { quota: await service.getQuotaOfUser(asked, { signal }) };
    } catch (error) {
      if (error instanceof SlipwayProblem && error.status === 404) return { quota: undefined };
      throw error;
    }
  });
  return value;
}

function describeHeld({ user, project_hpc: hpc }: JudgedRequest, quota: Quota | undefined): string {
  return quota
    ? phrase('hasThere', { user, left: describeTime(quota, chargingOf(hpc)) })
    : phrase('hasNoneYet', { user });
}

/** Says that the budget of the project, if it has one, stays as it is. */
function BudgetNote({ request }: { readonly request: JudgedRequest }) {
  const place = placeOf(request);
  const { value } = useLive(`budget of ${place.hpc} ${place.project_name}`, (service, signal) =>
    service.getBudget(place, { signal }),
  );
  return value?.budget ? <>{phrase('notFromBudget')} </> : null;
}

/** True if the user would have time but no space, and could submit no job that has input. */
export function leavesNoSpace(
  { time, space }: Partial<Asked>,
  asked: Asked,
  quota: Quota | undefined,
): boolean {
  const given = time === undefined && space === undefined ? asked.space : (space ?? 0);
  const draws = quota !== undefined && isShared(quota);
  return given === 0 && !draws && (quota?.usage?.space.granted ?? 0) === 0;
}

type Asked = Pick<JudgedRequest, 'time' | 'space'>;

/** Starts with what was asked for. */
export function beginDecision({ time, space }: Asked, charging: Charging): Draft {
  return {
    time: time > 0 ? writeNodeTime(time, charging) : '',
    space: space > 0 ? writeSize(space * 1000) : '',
    until: '',
  };
}

/**
 * Reads a decision in seconds and kilobytes. Amounts that nobody changed are not sent, because the
 * displayed amount is rounded and the granted one must not be.
 */
export function readDecision(
  draft: Draft,
  asked: Asked,
  { charging, now }: { readonly charging: Charging; readonly now: Date },
) {
  const before = beginDecision(asked, charging);
  const isKept = (name: keyof Asked) => draft[name] === before[name];
  const typed = {
    time: isKept('time') ? '' : draft.time,
    space: isKept('space') ? '' : draft.space,
    until: draft.until,
  };
  const { problems, end, ...read } = readFields(typed, now, {
    time: phrase('enterTime', { unit: nameUnit(charging) }),
    space: phrase('enterSpace'),
  });
  const time = isKept('time') ? asked.time : (read.time ?? 0);
  const space = isKept('space') ? asked.space : (read.space ?? 0);
  if (time === 0 && space === 0) problems.set('time', phrase('giveSomething'));
  const asAsked = isKept('time') && isKept('space');
  const amounts = asAsked ? {} : { time: time || undefined, space: space || undefined };
  return { problems, body: { ...given({ ...amounts, valid_until: end }) } };
}

/** Compares the decision with the request, for the words on the button. */
export function compareDecision(
  { time, space }: Partial<Asked>,
  asked: Asked,
): 'same' | 'less' | 'more' {
  if (time === undefined && space === undefined) return 'same';
  const given = { time: time ?? 0, space: space ?? 0 };
  if (given.time === asked.time && given.space === asked.space) return 'same';
  return given.time <= asked.time && given.space <= asked.space ? 'less' : 'more';
}
