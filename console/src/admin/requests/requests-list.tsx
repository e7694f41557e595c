import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { JudgedRequest } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { type ProjectPlace, systemOf } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Button } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { DecisionNote, describeAmount } from '../../quotas/requests-page.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { useLinks } from '../parts/use-links.ts';
import { UserName } from '../parts/user-name.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { phrase, rich } from './words.ts';

interface RequestsListProps {
  readonly state: JudgedRequest['state'];
  /** The project that the requests are about. Without it, all projects. */
  readonly at?: ProjectPlace;
  readonly empty: ComponentChildren;
  readonly onDecided?: () => void;
}

/** Lists requests, the oldest first, because it has waited longest. */
export function RequestsList({ state, at, empty, onDecided }: RequestsListProps) {
  const asked = { state, ...(at && { hpc: at.hpc, project: at.project }) };
  const pages = usePages(`requests ${JSON.stringify(asked)}`, (service, signal) =>
    service.listAllRequests(asked, { signal }),
  );
  const [deciding, setDeciding] = useState<{ request: JudgedRequest; approves: boolean }>();
  const behind = {
    onDone: () => {
      pages.refresh();
      onDecided?.();
    },
    onClose: () => setDeciding(undefined),
  };
  return (
    <>
      <ListOf pages={pages} empty={empty}>
        {(requests) => (
          <div class="cards wide">
            {requests.map((request) => (
              <RequestInInbox
                key={request.request_id}
                request={request}
                onDecide={(approves) => setDeciding({ request, approves })}
              />
            ))}
          </div>
        )}
      </ListOf>
      {deciding?.approves && <ApproveDialog request={deciding.request} {...behind} />}
      {deciding?.approves === false && (
        <ActDialog
          title={phrase('askDecline', { user: deciding.request.user })}
          act={phrase('declineRequest')}
          danger
          onAct={(service, reason) => {
            const { request_id } = deciding.request;
            return service.declineRequest({ request_id, body: { reason } });
          }}
          done={phrase('declined')}
          {...behind}
        >
          <p>{phrase('nothingGranted', { user: deciding.request.user })}</p>
        </ActDialog>
      )}
    </>
  );
}

interface RequestInInboxProps {
  readonly request: JudgedRequest;
  readonly onDecide: (approves: boolean) => void;
}

function RequestInInbox({ request, onDecide }: RequestInInboxProps) {
  const links = useLinks();
  const { user, project_name: project, state, banned } = request;
  return (
    <article class="card" aria-label={phrase('requestBy', { user })}>
      <header>
        <h3>
          {rich('asksFor', {
            user: (
              <>
                <a href={links.person(user, request)}>{user}</a>
                <UserName name={request.name} />
              </>
            ),
            amount: describeAmount(request, chargingOf(request.project_hpc)),
          })}
        </h3>
        <span class={`state ${state}`}>{term(state)}</span>
      </header>
      <p class="quiet">
        {rich('onSystem', {
          project: <a href={links.project(request)}>{project}</a>,
          system: systemOf(request),
          moment: <Moment at={request.opened} />,
        })}
      </p>
      <p>{request.reason}</p>
      {banned !== null && <p class="warning">{phrase('bannedThere', { reason: banned })}</p>}
      <DecisionNote request={request} />
      {state === 'open' && (
        <p class="line">
          <Button class="main" onClick={() => onDecide(true)}>
            {phrase('approve')}
          </Button>
          <Button onClick={() => onDecide(false)}>{phrase('decline')}</Button>
        </p>
      )}
    </article>
  );
}
