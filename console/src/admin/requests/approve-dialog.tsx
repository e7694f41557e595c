import { useState } from 'preact/hooks';
import type { JudgedRequest } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { clock } from '../../live/clock.ts';
import { ActDialog } from '../act/act-dialog.tsx';
import { TextField } from '../act/text-field.tsx';
import { HeldNow } from './held-now.tsx';
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
