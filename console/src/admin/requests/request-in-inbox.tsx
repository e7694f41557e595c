import type { Charging } from '#client/src/format/write-node-time.ts';
import type { JudgedRequest } from '#client/src/index.ts';
import { adminAddress } from '../../address/admin-address.ts';
import { systemOf } from '../../address/system-of.ts';
import { Moment } from '../../parts/moment.tsx';
import { describeAmount } from '../../requests/request-card.tsx';

interface RequestInInboxProps {
  readonly request: JudgedRequest;
  readonly charging: Charging;
  readonly onApprove: () => void;
  readonly onDecline: () => void;
}

export function RequestInInbox({ request, charging, onApprove, onDecline }: RequestInInboxProps) {
  const { user, project_name: project, state, decision, banned } = request;
  return (
    <article class="card" aria-label={`The request of ${user}`}>
      <header>
        <h3>
          <a href={adminAddress.person(user)}>{user}</a> asks for{' '}
          {describeAmount(request, charging)}
        </h3>
        <span class={`state ${state}`}>{state}</span>
      </header>
      <p class="quiet">
        <a href={adminAddress.project(request)}>{project}</a> on {systemOf(request)},{' '}
        <Moment at={request.opened} />
      </p>
      <p>{request.reason}</p>
      {banned !== null && <p class="warning">Banned there: {banned}</p>}
      {decision && (
        <p class="note">
          {state === 'approved' && `${describeAmount(decision, charging)} granted. `}
          {decision.reason} <span class="quiet">({decision.by})</span>
        </p>
      )}
      {state === 'open' && (
        <p class="line">
          <button type="button" class="main" onClick={onApprove}>
            Approve …
          </button>
          <button type="button" onClick={onDecline}>
            Decline …
          </button>
        </p>
      )}
    </article>
  );
}
