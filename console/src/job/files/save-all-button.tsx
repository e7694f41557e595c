import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { announce } from '../../live/announce.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { saveBlob } from '../../parts/save.ts';
import { gatherFiles } from './gather-files.ts';

interface SaveAllButtonProps {
  readonly session: Session;
  readonly jobs: readonly Job[];
  readonly label: string;
}

/** All files of one job or of several, as one zip. */
export function SaveAllButton({ session, jobs, label }: SaveAllButtonProps) {
  const [done, setDone] = useState<number>();
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setError(undefined);
    setDone(0);
    try {
      const gathered = await gatherFiles(session.service, jobs, (bytes, whole) =>
        setDone(bytes / Math.max(1, whole)),
      );
      if (gathered) saveBlob(gathered.zip, gathered.name);
      else
        announce(
          jobs.some((job) => !job.terminal_stage)
            ? 'There are no files yet.'
            : 'There are no files.',
        );
    } catch (reason) {
      setError(reason);
    }
    setDone(undefined);
  };
  return (
    <>
      <button type="button" disabled={done !== undefined} onClick={() => void save()}>
        {label}
      </button>
      {done !== undefined && <progress value={done} aria-label="Gathering files" />}
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}
