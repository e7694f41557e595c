import { type JudgedRequest, SlipwayProblem } from '#client/src/index.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { QuotaFields, useDraft } from '../parts/quota-fields.tsx';
import { beginDecision, compareDecision, readDecision } from './read-decision.ts';
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
            {phrase('addedAtOnce', { project: request.project_name })} <HeldNow request={request} />
          </p>
          <QuotaFields
            field={field}
            wrong={wrong}
            hints={{
              time: phrase('timeHint'),
              space: phrase('spaceHint'),
              until: phrase('untilHint'),
            }}
          />
        </>
      )}
    </ActDialog>
  );
}

/** Says what the user already has there, which helps to decide. */
function HeldNow({ request }: { readonly request: JudgedRequest }) {
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
  if (!value) return null;
  return (
    <span>
      {value.quota
        ? phrase('hasThere', { user, left: describeTime(value.quota, chargingOf(hpc)) })
        : phrase('hasNoneYet', { user })}
    </span>
  );
}
