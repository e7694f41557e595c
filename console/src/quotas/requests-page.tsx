import { useState } from 'preact/hooks';
import {
  type Charging,
  nameUnit,
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { joinWords } from '#client/src/format/sentences/join-words.ts';
import type { Slipway } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { query, systemOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf, listPlaces } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { echoSpace, echoTime } from '../parts/echo.ts';
import {
  bindFields,
  Form,
  LongTextField,
  PlainButton,
  SelectField,
  TextField,
  useAttempt,
} from '../parts/form.tsx';
import { Empty, Loading, ProblemNote, problemsByField } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { phrase } from './words.ts';

export function RequestsPage() {
  const service = useService();
  const { value, error, refresh } = useLive('requests', async (service, signal) => {
    const oldestFirst = await Array.fromAsync(service.listRequests({}, { signal }));
    return oldestFirst.toReversed();
  });
  const [withdrawing, setWithdrawing] = useState<RequestForMore>();
  return (
    <>
      <h1>{pageNames.requests()}</h1>
      <div class="columns">
        <AskForm onAsked={refresh} />
        <section aria-labelledby="asked-title">
          <h2 id="asked-title">{phrase('yourRequests')}</h2>
          <Loading value={value} error={error} refresh={refresh} />
          {value?.length === 0 && (
            <Empty title={phrase('noRequests')}>{phrase('decisionAppears')}</Empty>
          )}
          {value?.map((request) => (
            <RequestCard
              key={request.request_id}
              request={request}
              onWithdraw={() => setWithdrawing(request)}
            />
          ))}
        </section>
      </div>
      {withdrawing && (
        <Confirm
          title={phrase('withdrawThis')}
          act={phrase('withdraw')}
          onClose={() => setWithdrawing(undefined)}
          onAct={async () => {
            await service.withdrawRequest({ request_id: withdrawing.request_id });
            announce(phrase('withdrawn'));
            refresh();
          }}
        >
          <p>{phrase('canAskAgain')}</p>
        </Confirm>
      )}
    </>
  );
}

type RequestForMore = Awaited<ReturnType<Slipway['getRequest']>>;

interface RequestCardProps {
  readonly request: RequestForMore;
  readonly onWithdraw: () => void;
}

function RequestCard({ request, onWithdraw }: RequestCardProps) {
  const { project_name: project, reason, state, opened } = request;
  return (
    <article class="card">
      <header>
        <h3>{describeAmount(request, chargingOf(request.project_hpc))}</h3>
        <span class={`state ${state}`}>{term(state)}</span>
      </header>
      <p class="quiet">
        {phrase('projectOn', { project, hpc: systemOf(request) })}, <Moment at={opened} />
      </p>
      <p>{reason}</p>
      <DecisionNote request={request} />
      {state === 'open' && <PlainButton onClick={onWithdraw}>{phrase('withdraw')}</PlainButton>}
    </article>
  );
}

interface DecisionNoteProps {
  readonly request: Pick<RequestForMore, 'state' | 'decision' | 'project_hpc'>;
}

/** Shows what the administrators decided, if they did. */
export function DecisionNote({ request: { state, decision, project_hpc } }: DecisionNoteProps) {
  return (
    decision && (
      <p class="note">
        {state === 'approved' &&
          `${phrase('granted', { amount: describeAmount(decision, chargingOf(project_hpc)) })} `}
        {decision.reason} <span class="quiet">({decision.by})</span>
      </p>
    )
  );
}

export function describeAmount(
  { time, space }: { readonly time: number | null; readonly space: number | null },
  charging: Charging,
): string {
  const amounts = [
    time !== null && time > 0 && writeNodeTime(time, charging),
    space !== null && space > 0 && writeSize(space * 1000),
  ];
  return joinWords(amounts.filter((amount) => amount !== false));
}

function AskForm({ onAsked }: { readonly onAsked: () => void }) {
  const service = useService();
  const [draft, setDraft] = useState({
    place: `${query.value.get('hpc') ?? ''}/${query.value.get('project') ?? ''}`,
    time: '',
    space: '',
    reason: '',
  });
  const [tried, setTried] = useState(false);
  const { error, attempt } = useAttempt();
  const places = listPlaces(draft.place);
  const chosen = places.find(({ place }) => place === draft.place) ?? places[0];
  const charging = chargingOf(chosen?.hpc.toUpperCase());
  const { problems, body } = readRequest(draft, charging);
  const shown = tried ? problems : problemsByField(error);
  const field = bindFields(draft, (name, value) => setDraft({ ...draft, [name]: value }));
  const ask = async () => {
    setTried(true);
    if (problems.size > 0 || !chosen) return;
    await service.askForMore({
      body: { hpc: chosen.hpc, project_name: chosen.project, ...body },
    });
    setTried(false);
    setDraft({ place: draft.place, time: '', space: '', reason: '' });
    announce(phrase('sent'));
    onAsked();
  };
  return (
    <Form class="panel" noValidate onSubmit={() => attempt(ask)}>
      <h2>{phrase('askForMore')}</h2>
      <SelectField
        label={phrase('project')}
        value={chosen?.place ?? ''}
        onValue={(place) => setDraft({ ...draft, place })}
      >
        {places.map(({ place, hpc, project }) => (
          <option key={place} value={place}>
            {phrase('projectOn', { project, hpc })}
          </option>
        ))}
      </SelectField>
      <div class="fields two">
        <TextField
          label={phrase('time')}
          hint={echoTime(draft.time, charging) ?? phrase('timeHint', { unit: nameUnit(charging) })}
          {...field('time', shown)}
        />
        <TextField
          label={phrase('space')}
          hint={echoSpace(draft.space) ?? phrase('spaceHint')}
          {...field('space', shown)}
        />
      </div>
      <LongTextField
        label={phrase('reason')}
        hint={phrase('reasonHint')}
        rows={3}
        maxLength={500}
        {...field('reason', shown)}
      />
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main" disabled={!chosen}>
        {phrase('send')}
      </button>
    </Form>
  );
}

/** The request as typed. Empty amounts are not asked for. */
interface RequestDraft {
  /** `hpc_one/proj_hpc_one_01` */
  readonly place: string;
  /** `500 node-hours` */
  readonly time: string;
  /** `10 GB` */
  readonly space: string;
  readonly reason: string;
}

/** Reads the request in seconds and kilobytes. */
export function readRequest({ time, space, reason }: RequestDraft, charging: Charging) {
  const problems = new Map<string, string>();
  const seconds = time.trim() === '' ? undefined : (readNodeTime(time) ?? 0);
  const kilobytes = space.trim() === '' ? undefined : (readKilobytes(space) ?? 0);
  if (seconds !== undefined && seconds <= 0) {
    problems.set('time', phrase('enterTime', { unit: nameUnit(charging) }));
  }
  if (kilobytes !== undefined && kilobytes <= 0) problems.set('space', phrase('enterSpace'));
  if (seconds === undefined && kilobytes === undefined) problems.set('time', phrase('enterAmount'));
  if (reason.trim() === '') problems.set('reason', phrase('enterReason'));
  return {
    problems,
    body: {
      ...(seconds !== undefined && { time: seconds }),
      ...(kilobytes !== undefined && { space: kilobytes }),
      reason: reason.trim(),
    },
  };
}
