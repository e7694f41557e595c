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

interface ApproveDialogProps {
  readonly request: JudgedRequest;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const words = {
  'as asked': 'Approve request',
  less: 'Approve less',
  more: 'Approve more',
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
      title={`Approve the request by ${request.user}?`}
      act={words[problems.size > 0 ? 'as asked' : compareDecision(body, request)]}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const { request_id: id } = request;
        await service.approveRequest({ request_id: id, body: { ...body, reason } });
        onDone();
        return 'Request approved.';
      }}
    >
      {(wrong) => (
        <>
          <p>
            The amount is added to the quota in {request.project_name} at once.{' '}
            <HeldNow request={request} />
          </p>
          <div class="fields two">
            <TextField
              label="Time"
              hint="as requested; change it to give more or less"
              {...field('time', wrong)}
            />
            <TextField
              label="Space"
              hint="for example 10 GB; empty for none"
              {...field('space', wrong)}
            />
          </div>
          <TextField
            label="Until"
            hint="for example 31 March or 3 months; empty keeps the end date"
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
        ? `${user} has ${describeTime(value.quota, chargingOf(hpc))} there.`
        : `${user} has no quota there yet.`}
    </span>
  );
}
