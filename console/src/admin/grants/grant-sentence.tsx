import { useEffect, useRef, useState } from 'preact/hooks';
import type { GrantedRow, GrantRow } from '#client/src/index.ts';
import { adminAddress, query } from '../../browser/address.ts';
import { useService } from '../../connection/session.ts';
import { announce } from '../../live/announce.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Form, useAttempt } from '../../parts/form.tsx';
import { ProblemNote } from '../../parts/loading.tsx';
import { describeOutcome, isOpen } from './outcomes.ts';
import { readSentence, type Sentence, verbs } from './read-sentence.ts';
import { SentenceFields } from './sentence-fields.tsx';
import { phrase, rich } from './words.ts';

const buttons = {
  give: () => phrase('giveQuota'),
  take: () => phrase('takeQuota'),
  set: () => phrase('setQuota'),
} as const;
const written = { time: '', space: '', until: '', reason: '' };

/** Grants one quota, written as a sentence, with a preview of the change below it. */
export function GrantSentence() {
  const service = useService();
  const [sentence, setSentence] = useState(() => beginSentence(query.value));
  const [tried, setTried] = useState(false);
  const { error, attempt, clear } = useAttempt();
  const [answer, setAnswer] = useState<{ readonly user: string; readonly row: GrantedRow }>();
  // The key belongs to the sentence, so that a second click grants nothing twice.
  const key = useRef(crypto.randomUUID());
  const { problems, row } = readSentence(sentence, clock.value);
  const preview = useDryRun(row);
  const shown = new Map(tried ? problems : []);
  if (tried && sentence.reason.trim() === '') shown.set('reason', phrase('noReason'));
  const tell = (outcome: GrantedRow) =>
    describeOutcome(outcome, chargingOf(sentence.place.split('/')[0]?.toUpperCase() ?? ''));
  const write = (change: Partial<Sentence>) => {
    setSentence((before) => ({ ...before, ...change }));
    setAnswer(undefined);
    clear();
    key.current = crypto.randomUUID();
  };
  const run = async () => {
    setTried(true);
    if (row?.reason === undefined) return;
    const asked = { idempotencyKey: key.current };
    const [outcome] = await service.grantQuotas({ rows: [row] }, asked);
    if (!outcome) return;
    if (!isOpen(outcome)) {
      write(written);
      setTried(false);
      announce(phrase('quotaChanged'));
    }
    setAnswer({ user: row.user_id, row: outcome });
  };
  return (
    <Form class="panel" noValidate aria-label={phrase('grant')} onSubmit={() => attempt(run)}>
      <SentenceFields sentence={sentence} problems={shown} onWrite={write} />
      {answer && !isOpen(answer.row) ? (
        <p role="status">
          {rich('doneFor', {
            user: <a href={adminAddress.person(answer.user)}>{answer.user}</a>,
            change: tell(answer.row),
          })}
        </p>
      ) : (
        <PreviewOf outcome={answer?.row ?? preview} tell={tell} />
      )}
      {error !== undefined && <ProblemNote error={error} />}
      <button type="submit" class="main">
        {buttons[sentence.verb]()}
      </button>
    </Form>
  );
}

interface PreviewOfProps {
  readonly outcome: GrantedRow | undefined;
  readonly tell: (outcome: GrantedRow) => string;
}

function PreviewOf({ outcome, tell }: PreviewOfProps) {
  if (!outcome) {
    return (
      <p class="quiet" role="status">
        {phrase('previewLater')}
      </p>
    );
  }
  return (
    <p class={isOpen(outcome) ? 'warning' : 'quiet'} role="status">
      {isOpen(outcome) ? tell(outcome) : phrase('preview', { change: tell(outcome) })}
    </p>
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

const pauseMs = 400;

/** Previews a grant at each pause in typing. */
function useDryRun(row: GrantRow | undefined): GrantedRow | undefined {
  const service = useService();
  const key = row && JSON.stringify({ ...row, reason: undefined });
  const [told, setTold] = useState<{ key: string; outcome: GrantedRow | undefined }>();
  useEffect(() => {
    if (!row || key === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const asked = { rows: [{ reason: phrase('dryRun'), ...row }], dry_run: true };
        const [outcome] = await service.grantQuotas(asked, { signal: leaving.signal });
        setTold({ key, outcome });
      } catch {
        // The click sends the same request and shows the error.
        if (!leaving.signal.aborted) setTold(undefined);
      }
    }, pauseMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return told !== undefined && told.key === key ? told.outcome : undefined;
}
