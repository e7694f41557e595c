import { useRef, useState } from 'preact/hooks';
import type { GrantedRow, Project } from '#client/src/index.ts';
import type { Session } from '../../../connection/session.ts';
import { announce } from '../../../live/announce.ts';
import { countOutcomes } from '../outcome/count-outcomes.ts';
import { type PastedRow, type ReadPaste, readPasted } from './read-pasted.ts';

/** What became of the rows, or would. */
export interface Shown {
  readonly rows: readonly PastedRow[];
  readonly outcomes: readonly GrantedRow[];
  readonly done: boolean;
}

const nothingWrong: ReadPaste['problems'] = new Map();

/** A table on its way: pasted, looked at, done, and where needed corrected and sent again. */
export function useBulk({ service }: Session, projects: readonly Project[]) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState(nothingWrong);
  const [shown, setShown] = useState<Shown>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // One for the table, also when refused rows were corrected: what is done is not done again.
  const key = useRef(crypto.randomUUID());
  const given = reason.trim();
  const write = (pasted: string) => {
    setText(pasted);
    setShown(undefined);
    setProblems(nothingWrong);
  };
  const send = async (rows: readonly PastedRow[], done: boolean) => {
    const why = given === '' && !done ? 'a dry run' : given;
    const outcomes = await service.grantQuotas(
      {
        rows: rows.map(({ row }) => row),
        ...(!done && { dry_run: true }),
        ...(why !== '' && { reason: why }),
      },
      { idempotencyKey: key.current },
    );
    setShown({ rows, outcomes, done });
    if (done) announce(`${countOutcomes(outcomes)}.`);
  };
  const attempt = async (step: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await step().catch(setError);
    setBusy(false);
  };
  return {
    text,
    write,
    reason,
    setReason,
    problems,
    shown,
    busy,
    error,
    /** Some rows have none of their own, and there is none for all. */
    lacksReason: given === '' && (shown?.rows.some(({ row }) => row.reason === undefined) ?? false),
    preview: () =>
      attempt(async () => {
        const read = await readPasted(text, projects);
        setProblems(read.problems);
        setShown(undefined);
        if (read.problems.size === 0) await send(read.rows, false);
      }),
    grant: () => attempt(async () => shown && send(shown.rows, true)),
    beginAnew: () => {
      write('');
      setReason('');
      key.current = crypto.randomUUID();
    },
  };
}
