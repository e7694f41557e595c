import { useState } from 'preact/hooks';
import { type JudgedRequest, SlipwayProblem } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { useLive } from '../../live/use-live.ts';
import { bindFields, TextField } from '../../parts/form.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import {
  beginDecision,
  compareDecision,
  type DecisionDraft,
  readDecision,
} from './read-decision.ts';
import { phrase } from './words.ts';

interface ApproveDialogProps {
  readonly request: JudgedRequest;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const words = {
  same: () => phrase('approveRequest'),
  less: () => phrase('approveLess'),
  more: () => phrase('approveMore'),
} as const;

export function ApproveDialog({ request, onDone, onClose }: ApproveDialogProps) {
  const service = useService();
  const charging = chargingOf(request.project_hpc);
  const [changed, setDraft] = useState<DecisionDraft>();
  const draft = changed ?? beginDecision(request, charging);
  const field = bindFields({ ...draft }, (name, value) => setDraft({ ...draft, [name]: value }));
  const { problems, body } = readDecision(draft, request, { charging, now: clock.value });
  return (
    <ActDialog
      title={phrase('askApprove', { user: request.user })}
      act={words[problems.size > 0 ? 'same' : compareDecision(body, request)]()}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const { request_id: id } = request;
        await service.approveRequest({ request_id: id, body: { ...body, reason } });
        onDone();
        return phrase('approved');
      }}
    >
      {(wrong) => (
        <>
          <p>
            {phrase('addedAtOnce', { project: request.project_name })} <HeldNow request={request} />
          </p>
          <div class="fields two">
            <TextField label={phrase('time')} hint={phrase('timeHint')} {...field('time', wrong)} />
            <TextField
              label={phrase('space')}
              hint={phrase('spaceHint')}
              {...field('space', wrong)}
            />
          </div>
          <TextField
            label={phrase('until')}
            hint={phrase('untilHint')}
            {...field('until', wrong, 'valid_until')}
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
    const asked = { user_id: user, hpc: hpc.toLowerCase(), project_name: project } as const;
    try {
      return { quota: await service.getQuotaOfUser({ ...asked, expand: 'usage' }, { signal }) };
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
