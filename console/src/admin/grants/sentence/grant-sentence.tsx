import { useRef, useState } from 'preact/hooks';
import type { GrantedRow } from '#client/src/index.ts';
import { query } from '../../../address/address.ts';
import { adminAddress } from '../../../address/admin-address.ts';
import type { Session } from '../../../connection/session.ts';
import { chargingOf, useCatalog } from '../../../connection/use-catalog.ts';
import { announce } from '../../../live/announce.ts';
import { clock } from '../../../live/clock.ts';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { describeOutcome } from '../outcome/describe-outcome.ts';
import { readSentence, type Sentence, verbs } from './read-sentence.ts';
import { SentenceFields } from './sentence-fields.tsx';
import { useDryRun } from './use-dry-run.ts';

const written = { time: '', space: '', until: '', reason: '' };

/** A grant as one says it. What it would change stands below it before the click. */
export function GrantSentence({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const [sentence, setSentence] = useState(() => beginSentence(query.value));
  const [tried, setTried] = useState(false);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState<{ readonly user: string; readonly row: GrantedRow }>();
  // One key for one sentence: a second click on it grants nothing twice.
  const key = useRef(crypto.randomUUID());
  const { problems, row } = readSentence(sentence, clock.value);
  const preview = useDryRun(session, row);
  const shown = new Map(tried ? problems : []);
  if (tried && sentence.reason.trim() === '') shown.set('reason', 'Say why: the audit keeps it.');
  const tell = (outcome: GrantedRow) =>
    describeOutcome(
      outcome,
      chargingOf(catalog, sentence.place.split('/')[0]?.toUpperCase() ?? ''),
    );
  const write = (change: Partial<Sentence>) => {
    setSentence((before) => ({ ...before, ...change }));
    setDone(undefined);
    key.current = crypto.randomUUID();
  };
  const run = async () => {
    setTried(true);
    if (row?.reason === undefined) return;
    try {
      const [outcome] = await session.service.grantQuotas(
        { rows: [row] },
        { idempotencyKey: key.current },
      );
      setError(undefined);
      if (!outcome || outcome.outcome === 'refused' || outcome.outcome === 'not-done') return;
      write(written);
      setTried(false);
      setDone({ user: row.user_id, row: outcome });
      announce('It is done.');
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form
      class="panel"
      noValidate
      aria-label="A grant"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <SentenceFields sentence={sentence} catalog={catalog} problems={shown} onWrite={write} />
      <p class={preview?.outcome === 'refused' ? 'warning' : 'quiet'} role="status">
        {done && (
          <>
            Done for <a href={adminAddress.person(done.user)}>{done.user}</a>: {tell(done.row)}
          </>
        )}
        {!done &&
          preview &&
          (preview.outcome === 'refused' ? tell(preview) : `Then: ${tell(preview)}`)}
        {!done && !preview && 'What it will change is shown here before anything is written.'}
      </p>
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main">
        {sentence.verb === 'give' ? 'Give it' : sentence.verb === 'take' ? 'Take it' : 'Set it'}
      </button>
    </form>
  );
}

function beginSentence(asked: URLSearchParams): Sentence {
  return {
    verb: verbs.find((verb) => verb === asked.get('verb')) ?? 'give',
    user: asked.get('user') ?? '',
    place: asked.get('place') ?? '',
    ...written,
  };
}
