import { useEffect, useState } from 'preact/hooks';
import type { JobFile } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { type Contents, readContents } from './read-contents.ts';
import { TextView } from './text-view.tsx';

interface FileViewProps {
  readonly session: Session;
  readonly place: { readonly hpc: string; readonly project_name: string; readonly job_id: string };
  readonly file: JobFile;
  /** Whether it may still be written to. */
  readonly grows: boolean;
}

/** A file as far as it can be shown; one that grows is read again as it does, and followed. */
export function FileView({ session, place, file, grows }: FileViewProps) {
  const [contents, setContents] = useState<Contents>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    readContents(session.service, { ...place, file_id: file.fileid }, file, leaving.signal).then(
      setContents,
      (reason: unknown) => {
        if (!leaving.signal.aborted) setError(reason);
      },
    );
    return () => leaving.abort();
  }, [file.length, file.starts_at]);
  if (error !== undefined) return <ProblemNote error={error} />;
  if (!contents) return <Waiting rows={5} />;
  if (contents.kind === 'image') return <Picture blob={contents.blob} name={file.filename} />;
  if (contents.kind === 'other') return <p class="quiet">{contents.reason}</p>;
  return (
    <>
      {file.starts_at !== undefined && (
        <p class="quiet">
          Only the end is shown. {grows ? 'All of it is here when the job has ended.' : ''}
        </p>
      )}
      <TextView text={contents.text} name={file.filename} grows={grows} />
    </>
  );
}

function Picture({ blob, name }: { readonly blob: Blob; readonly name: string }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return <img class="picture" src={address} alt={name} />;
}
