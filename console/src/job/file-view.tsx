import { useEffect, useState } from 'preact/hooks';
import type { FileOfJob, JobFile, Slipway } from '#client/src/index.ts';
import type { Session } from '../connection/session.ts';
import { Waiting } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
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

type Contents =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly blob: Blob }
  | { readonly kind: 'other'; readonly reason: string };

/** What a page shows without growing slow. */
const mostBytes = 2_000_000;

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

async function readContents(
  service: Slipway,
  place: FileOfJob,
  { filename, length }: JobFile,
  signal: AbortSignal,
): Promise<Contents> {
  if (length > mostBytes)
    return { kind: 'other', reason: 'It is too large to be shown here. Download it.' };
  const response = await service.readFile(place, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = imageTypes[filename.split('.').at(-1)?.toLowerCase() ?? ''];
  if (type !== undefined) return { kind: 'image', blob: new Blob([bytes], { type }) };
  return readText(bytes);
}

/** A zero is in no text. */
export function readText(bytes: Uint8Array): Contents {
  if (bytes.includes(0)) return { kind: 'other', reason: 'It is no text. Download it.' };
  return { kind: 'text', text: new TextDecoder().decode(bytes) };
}
