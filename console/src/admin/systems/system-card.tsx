import type { System, SystemReport } from '#client/src/index.ts';
import { withQuery } from '../../address/address-of.ts';
import { adminAddress } from '../../address/admin-address.ts';
import type { Session } from '../../connection/session.ts';
import { Moment } from '../../parts/moment.tsx';
import { mostCounted, useLoad } from './use-load.ts';

interface SystemCardProps {
  readonly session: Session;
  readonly system: System;
  readonly report: SystemReport | undefined;
}

const words = {
  up: { sign: '✔', state: 'approved', means: 'It answers.' },
  down: {
    sign: '✘',
    state: 'declined',
    means: 'It does not answer. Jobs wait here and are handed over when it is back.',
  },
  unknown: {
    sign: '?',
    state: 'open',
    means: 'Nobody has looked for three minutes: there was nothing to look for.',
  },
} as const;

export function SystemCard({ session, system, report }: SystemCardProps) {
  const { name } = system;
  const { status = 'unknown', breaker, failing_since: since, last_error: last } = report ?? {};
  const { sign, state, means } = words[status];
  const { value } = useLoad(session, name);
  return (
    <article class="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span class={`state ${state}`}>
          <span aria-hidden="true">{sign}</span> {status}
        </span>
      </header>
      <p class="quiet">{system.description}</p>
      <p>
        {means}
        {since && (
          <>
            {' '}
            It has failed since <Moment at={since} />, {breaker?.failures} calls in a row.
          </>
        )}
      </p>
      {breaker?.open_until && (
        <p>
          Its breaker is open: it is not called until <Moment at={breaker.open_until} />.
        </p>
      )}
      {value && (
        <p>
          <a href={withQuery(adminAddress.jobs, { state: 'living', hpc: name })}>
            {value.waiting} waiting, {value.running} running
          </a>
          {value.more && ` (of the ${mostCounted.toLocaleString('en-US')} oldest)`}
        </p>
      )}
      {value?.longest && (
        <p>
          Waiting longest:{' '}
          <a href={adminAddress.job(value.longest)}>
            {value.longest.title === '' ? 'a job without a title' : value.longest.title}
          </a>
          , since <Moment at={value.longest.init_date} />
          {value.timeline?.reason && `: ${value.timeline.reason}`}
        </p>
      )}
      {last && (
        <p class={since ? 'warning' : 'quiet'}>
          Last error <Moment at={last.at} />: {last.reason}
        </p>
      )}
    </article>
  );
}
