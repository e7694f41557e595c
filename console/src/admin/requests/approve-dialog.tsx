import { useState } from 'preact/hooks';
import { type JudgedRequest, SlipwayProblem } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { TextField } from '../../parts/fields.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import {
  beginDecision,
  compareDecision,
  type DecisionDraft,
  readDecision,
} from './read-decision.ts';

interface ApproveDialogProps {
  readonly session: Session;
  readonly request: JudgedRequest;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const words = {
  'as asked': 'Approve',
  less: 'Approve less',
  more: 'Approve more',
} as const;

export function ApproveDialog({ session, request, onDone, onClose }: ApproveDialogProps) {
  const charging = chargingOf(useCatalog(session), request.project_hpc);
  const [changed, setDraft] = useState<DecisionDraft>();
  const draft = changed ?? beginDecision(request, charging);
  const { problems, body } = readDecision(draft, request, { charging, now: clock.value });
  return (
    <ActDialog
      title={`Approve the request of ${request.user}?`}
      act={words[problems.size > 0 ? 'as asked' : compareDecision(body, request)]}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const { request_id: id } = request;
        await session.service.approveRequest({ request_id: id, body: { ...body, reason } });
        onDone();
        return 'The request is approved.';
      }}
    >
      {(wrong) => (
        <>
          <p>
            It is added to the quota in {request.project_name} at once.{' '}
            <HeldNow session={session} request={request} />
          </p>
          <div class="fields two">
            <TextField
              label="Time"
              hint="as asked for; write another amount to give that"
              error={wrong.get('time')}
              value={draft.time}
              onValue={(time) => setDraft({ ...draft, time })}
            />
            <TextField
              label="Space"
              hint="nothing, or 10 GB"
              error={wrong.get('space')}
              value={draft.space}
              onValue={(space) => setDraft({ ...draft, space })}
            />
          </div>
          <TextField
            label="Until"
            hint="31 March, or 3 months; nothing leaves its end as it is"
            error={wrong.get('valid_until')}
            value={draft.until}
            onValue={(until) => setDraft({ ...draft, until })}
          />
        </>
      )}
    </ActDialog>
  );
}

/** What somebody has where they ask for more: one decides by it. */
function HeldNow({
  session,
  request: { user, project_hpc: hpc, project_name: project },
}: {
  readonly session: Session;
  readonly request: JudgedRequest;
}) {
  const catalog = useCatalog(session);
  const { value } = useLive(`held ${user} ${hpc} ${project}`, async (signal) => {
    const asked = { user_id: user, hpc: hpc.toLowerCase(), project_name: project } as const;
    try {
      return {
        quota: await session.service.getQuotaOfUser({ ...asked, expand: 'usage' }, { signal }),
      };
    } catch (error) {
      if (error instanceof SlipwayProblem && error.status === 404) return { quota: undefined };
      throw error;
    }
  });
  if (!value) return null;
  return (
    <span>
      {value.quota
        ? `There, ${user} has ${describeTime(value.quota, chargingOf(catalog, hpc))}.`
        : `There, ${user} has no quota yet.`}
    </span>
  );
}
