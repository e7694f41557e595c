import { useState } from 'preact/hooks';
import { type Charging, nameUnit, readNodeTime } from '#client/src/format/node-time.ts';
import { readKilobytes } from '#client/src/format/size.ts';
import { query } from '../browser/address.ts';
import { systemOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { chargingOf, openProjects, useCatalog } from '../connection/use-catalog.ts';
import { announce } from '../live/announce.ts';
import { Field } from '../parts/fields.tsx';
import { ProblemNote, problemsByField } from '../parts/problem-note.tsx';

/** What one needs, in which project, and why. */
export function AskForm({
  session,
  onAsked,
}: {
  readonly session: Session;
  readonly onAsked: () => void;
}) {
  const catalog = useCatalog(session);
  const [draft, setDraft] = useState<RequestDraft>({
    account: `${query.value.get('hpc') ?? ''}/${query.value.get('project') ?? ''}`,
    time: '',
    space: '',
    reason: '',
  });
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>();
  const open = new Set(openProjects(catalog));
  const accounts = (catalog?.projects ?? [])
    .map((each) => ({
      name: `${systemOf(each)}/${each.project_name}`,
      hpc: systemOf(each),
      project: each.project_name,
      isOpen: open.has(each),
    }))
    // A closed project can be asked for by whoever came here from its quota.
    .filter(({ name, isOpen }) => isOpen || name === draft.account);
  const account = accounts.find(({ name }) => name === draft.account) ?? accounts[0];
  const charging = chargingOf(catalog, account?.hpc.toUpperCase());
  const { problems, body } = readRequest(draft, charging);
  const shown = tried ? problems : problemsByField(error);
  const change = (changed: Partial<RequestDraft>) =>
    setDraft((before) => ({ ...before, ...changed }));
  const ask = async () => {
    setTried(true);
    if (problems.size > 0 || !account) return;
    try {
      await session.service.askForMore({
        body: { hpc: account.hpc, project_name: account.project, ...body },
      });
      setError(undefined);
      setTried(false);
      change({ time: '', space: '', reason: '' });
      announce('The administrators have your request.');
      onAsked();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form
      class="panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <h2>Ask for more</h2>
      <Field label="Project">
        {(ids) => (
          <select
            {...ids}
            value={account?.name ?? ''}
            onChange={({ currentTarget }) => change({ account: currentTarget.value })}
          >
            {accounts.map(({ name, hpc, project }) => (
              <option key={name} value={name}>
                {project} on {hpc}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="fields two">
        <Field label="Time" hint={`500 ${nameUnit(charging)}`} error={shown.get('time')}>
          {(ids) => (
            <input
              {...ids}
              value={draft.time}
              onInput={({ currentTarget }) => change({ time: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Space" hint="10 GB" error={shown.get('space')}>
          {(ids) => (
            <input
              {...ids}
              value={draft.space}
              onInput={({ currentTarget }) => change({ space: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Reason" hint="what it is for, up to 500 characters" error={shown.get('reason')}>
        {(ids) => (
          <textarea
            {...ids}
            rows={3}
            maxLength={500}
            value={draft.reason}
            onInput={({ currentTarget }) => change({ reason: currentTarget.value })}
          />
        )}
      </Field>
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main">
        Ask
      </button>
    </form>
  );
}

/** What is asked for, as it was typed. */
interface RequestDraft {
  readonly account: string;
  /** `500 node-hours`, or nothing. */
  readonly time: string;
  /** `10 GB`, or nothing. */
  readonly space: string;
  readonly reason: string;
}

interface ReadRequest {
  readonly problems: ReadonlyMap<string, string>;
  readonly body: { readonly time?: number; readonly space?: number; readonly reason: string };
}

/** In seconds and kilobytes, as the service takes it. */
export function readRequest(
  { time, space, reason }: RequestDraft,
  charging: Charging,
): ReadRequest {
  const problems = new Map<string, string>();
  const seconds = time.trim() === '' ? undefined : readNodeTime(time);
  const kilobytes = space.trim() === '' ? undefined : readKilobytes(space);
  if (time.trim() !== '' && !(seconds !== undefined && seconds > 0)) {
    problems.set('time', `Write an amount, for example 500 ${nameUnit(charging)}.`);
  }
  if (space.trim() !== '' && !(kilobytes !== undefined && kilobytes > 0)) {
    problems.set('space', 'Write an amount with its unit, for example 10 GB.');
  }
  if (time.trim() === '' && space.trim() === '')
    problems.set('time', 'Ask for time, space, or both.');
  if (reason.trim() === '')
    problems.set('reason', 'Say what it is for: the administrators decide by it.');
  return {
    problems,
    body: {
      ...(seconds !== undefined && { time: seconds }),
      ...(kilobytes !== undefined && { space: kilobytes }),
      reason: reason.trim(),
    },
  };
}
