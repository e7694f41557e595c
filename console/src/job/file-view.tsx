import { useEffect, useState } from 'preact/hooks';
import type { FileOfJob, JobFile, Slipway } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { TextView } from './text-view.tsx';

interface FileViewProps {
  readonly place: Omit<FileOfJob, 'file_id'>;
  readonly file: JobFile;
  /** Whether the file may still grow. */
  readonly grows: boolean;
}

/** Shows a file if it is text or a picture. A growing file is read again as it grows. */
export function FileView({ place, file, grows }: FileViewProps) {
  const service = useService();
  const [contents, setContents] = useState<Contents>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    readContents(service, { ...place, file_id: file.fileid }, file, leaving.signal).then(
      setContents,
      (reason: unknown) => {
        if (!leaving.signal.aborted) setError(reason);
      },
    );
    return () => leaving.abort();
  }, [file.length, file.starts_at]);
  if (error !== undefined) return <ProblemNote error={error} />;
  if (!contents) return <Skeleton rows={5} />;
  if (contents.kind === 'image') return <Picture blob={contents.blob} name={file.filename} />;
  if (contents.kind === 'other') return <p class="quiet">{contents.reason}</p>;
  return (
    <>
      {file.starts_at !== undefined && (
        <p class="quiet">
          Only the end is shown. {grows ? 'The whole file appears when the job has ended.' : ''}
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

/** More would make the page slow. */
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
    return { kind: 'other', reason: 'This file is too large to show here. Download it instead.' };
  const response = await service.readFile(place, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = imageTypes[filename.split('.').at(-1)?.toLowerCase() ?? ''];
  if (type !== undefined) return { kind: 'image', blob: new Blob([bytes], { type }) };
  return readText(bytes);
}

/** Takes bytes with a zero for something else than text. */
export function readText(bytes: Uint8Array): Contents {
  if (bytes.includes(0))
    return { kind: 'other', reason: 'This file is not text. Download it instead.' };
  return { kind: 'text', text: new TextDecoder().decode(bytes) };
}
