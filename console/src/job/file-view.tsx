import { useEffect, useState } from 'preact/hooks';
import type { FileOfJob, JobFile } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { JsonView } from './json-view.tsx';
import { type Contents, readContents } from './read-contents.ts';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';
import { phrase } from './words.ts';

interface FileViewProps {
  readonly place: Omit<FileOfJob, 'file_id'>;
  readonly file: JobFile;
  /** Whether the file may still grow. */
  readonly grows: boolean;
}

/** Shows a text, a table or a picture. A growing file is read again as it grows. */
export function FileView({ place, file, grows }: FileViewProps) {
  const service = useService();
  const [contents, setContents] = useState<Contents>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    readContents(service, { ...place, file_id: file.fileid }, file, leaving.signal).then(
      (read) => {
        if (leaving.signal.aborted) return;
        setContents(read);
        setError(undefined);
      },
      (reason: unknown) => {
        if (!leaving.signal.aborted) setError(reason);
      },
    );
    return () => leaving.abort();
  }, [file.length, file.starts_at]);
  if (error !== undefined) return <ProblemNote error={error} />;
  if (!contents) return <Skeleton rows={5} />;
  const { filename: name } = file;
  switch (contents.kind) {
    case 'image':
      return <Picture blob={contents.blob} name={name} grows={grows} />;
    case 'table':
      return <TableView {...contents} name={name} grows={grows} />;
    case 'json':
      return <JsonView {...contents} name={name} />;
    case 'pdf':
      return <Pdf blob={contents.blob} name={name} />;
    case 'other':
      return <p class="quiet">{contents.reason}</p>;
    case 'text':
      return (
        <>
          {file.starts_at !== undefined && (
            <p class="quiet">
              {phrase('onlyEnd')} {grows && phrase('wholeLater')}
            </p>
          )}
          <TextView text={contents.text} name={name} grows={grows} />
        </>
      );
  }
}

/**
 * Opens a PDF in a tab of its own, in the browser's viewer, which runs apart from the console.
 * Browsers show no PDF in a sandboxed frame.
 */
function Pdf({ blob, name }: { readonly blob: Blob; readonly name: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (address === undefined) return null;
  return (
    <p>
      <code>{name}</code>{' '}
      <a class="button" href={address} target="_blank" rel="noopener noreferrer">
        {phrase('openPdf')}
      </a>
    </p>
  );
}

interface PictureProps {
  readonly blob: Blob;
  readonly name: string;
  readonly grows: boolean;
}

/**
 * Shows a picture as an image, in which browsers run no script and load nothing else. Its address
 * is a `data:` one. If somebody opens that in a tab, an SVG is not a page of the console.
 */
function Picture({ blob, name, grows }: PictureProps) {
  const [address, setAddress] = useState<string>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const reader = new FileReader();
    reader.onload = () => {
      setBroken(false);
      setAddress(String(reader.result));
    };
    reader.readAsDataURL(blob);
    return () => reader.abort();
  }, [blob]);
  if (broken) {
    return <p class="quiet">{grows ? phrase('pictureNotComplete') : phrase('pictureBroken')}</p>;
  }
  if (address === undefined) return <Skeleton rows={5} />;
  return <img class="picture" src={address} alt={name} onError={() => setBroken(true)} />;
}
