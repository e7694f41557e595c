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
    announce('Request sent to the administrators.');
    onAsked();
  };
  return (
    <Form class="panel" noValidate onSubmit={() => attempt(ask)}>
      <h2>Ask for more</h2>
      <SelectField
        label="Project"
        value={chosen?.place ?? ''}
        onValue={(place) => setDraft({ ...draft, place })}
      >
        {places.map(({ place, hpc, project }) => (
          <option key={place} value={place}>
            {project} on {hpc}
          </option>
        ))}
      </SelectField>
      <div class="fields two">
        <TextField
          label="Time"
          hint={`for example 500 ${nameUnit(charging)}`}
          {...field('time', shown)}
        />
        <TextField label="Space" hint="for example 10 GB" {...field('space', shown)} />
      </div>
      <LongTextField
        label="Reason"
        hint="what you need it for, up to 500 characters"
        rows={3}
        maxLength={500}
        {...field('reason', shown)}
      />
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main">
        Send request
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

interface ReadRequest {
  readonly problems: ReadonlyMap<string, string>;
  readonly body: { readonly time?: number; readonly space?: number; readonly reason: string };
}

/** Reads the request in seconds and kilobytes. */
export function readRequest(
  { time, space, reason }: RequestDraft,
  charging: Charging,
): ReadRequest {
  const problems = new Map<string, string>();
  const seconds = time.trim() === '' ? undefined : readNodeTime(time);
  const kilobytes = space.trim() === '' ? undefined : readKilobytes(space);
  if (time.trim() !== '' && !(seconds !== undefined && seconds > 0)) {
    problems.set('time', `Enter an amount, such as 500 ${nameUnit(charging)}.`);
  }
  if (space.trim() !== '' && !(kilobytes !== undefined && kilobytes > 0)) {
    problems.set('space', 'Enter an amount with a unit, such as 10 GB.');
  }
  if (time.trim() === '' && space.trim() === '')
    problems.set('time', 'Enter an amount of time, space or both.');
  if (reason.trim() === '')
    problems.set('reason', 'Enter a reason. The administrators decide by it.');
  return {
    problems,
    body: {
      ...(seconds !== undefined && { time: seconds }),
      ...(kilobytes !== undefined && { space: kilobytes }),
      reason: reason.trim(),
    },
  };
}
