import { useState } from 'preact/hooks';
import {
  type Charging,
  nameUnit,
  readKilobytes,
  readNodeTime,
} from '#client/src/format/amounts.ts';
import { query } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf, listPlaces } from '../live/catalog.ts';
import {
  bindFields,
  Form,
  LongTextField,
  SelectField,
  TextField,
  useAttempt,
} from '../parts/form.tsx';
import { ProblemNote, problemsByField } from '../parts/loading.tsx';
import { phrase } from './words.ts';

export function AskForm({ onAsked }: { readonly onAsked: () => void }) {
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
          hint={phrase('timeHint', { unit: nameUnit(charging) })}
          {...field('time', shown)}
        />
        <TextField label={phrase('space')} hint={phrase('spaceHint')} {...field('space', shown)} />
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
