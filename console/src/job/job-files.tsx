import { useEffect, useState } from 'preact/hooks';
import { writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import {
  type FileOfJob,
  type Job,
  type JobFile,
  placeOf,
  type Slipway,
} from '#client/src/index.ts';
import { describeNoFiles } from '#client/src/jobs/read-file.ts';
import { recallInputNames } from '../browser/input-names.ts';
import { saveBlob } from '../browser/save.ts';
import { useService } from '../connection/session.ts';
import { systemFor } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Button } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { JsonView } from './json-view.tsx';
import { type Contents, readContents } from './read-contents.ts';
import { SaveAllButton } from './save-all-button.tsx';
import { TableView } from './table-view.tsx';
import { TextView } from './text-view.tsx';
import { phrase } from './words.ts';

/** Shows what the job has written so far, its output first. */
export function JobFiles({ job }: { readonly job: Job }) {
  const service = useService();
  const where = placeOf(job);
  const {
    value: files,
    error,
    refresh,
  } = useLive(
    `files ${job.job_id} ${job.stage}`,
    (service, signal) => service.listFiles(where, { signal }),
    { active: () => !job.terminal_stage },
  );
  const isLive = systemFor(job)?.live_output ?? true;
  const [chosen, setChosen] = useState<string>();
  const [failed, setFailed] = useState<unknown>();
  const own = recallInputNames(job.job_id);
  const groups = groupFiles(files ?? [], own);
  const shown =
    files?.find(({ fileid: id }) => id === chosen) ?? chooseFirst(files ?? [], job, own);
  const save = (file: JobFile) => {
    saveFile(service, { ...where, file_id: file.fileid }, file.filename).catch(setFailed);
  };
  return (
    <section aria-labelledby="files-title">
      <div class="line">
        <h2 id="files-title">{phrase('files')}</h2>
        {files !== undefined && files.length > 1 && (
          <>
            <span class="quiet">
              {writeCount(files.length, 'file')},{' '}
              {writeSize(files.reduce((sum, { length }) => sum + length, 0))}
            </span>
            <SaveAllButton jobs={[job]} label={phrase('downloadAll')} />
          </>
        )}
      </div>
      <Loading value={files} error={error} refresh={refresh} rows={8} />
      {failed !== undefined && <ProblemNote error={failed} />}
      {files?.length === 0 && (
        <Empty title={describeNoFiles(job)}>
          {!job.terminal_stage && (isLive ? phrase('outputSoon') : phrase('outputAtEnd'))}
        </Empty>
      )}
      {files !== undefined && files.length > 0 && (
        <div class="files">
          <ul class="file-list">
            {[...groups.output, ...groups.results, ...groups.input].map((file) => (
              <li key={file.fileid} class={file === shown ? 'chosen' : undefined}>
                <Button
                  class="plain name"
                  aria-current={file === shown ? 'true' : undefined}
                  onClick={() => setChosen(file.fileid)}
                >
                  {file.filename}
                </Button>
                {groups.input.includes(file) && <span class="quiet">{phrase('ownInput')}</span>}
                <span class="number quiet" title={phrase('bytes', { bytes: file.length })}>
                  {writeSize(file.length)}
                </span>
                <Button
                  class="plain"
                  aria-label={phrase('downloadFile', { name: file.filename })}
                  title={phrase('download')}
                  onClick={() => save(file)}
                >
                  <Icon name="download" />
                </Button>
              </li>
            ))}
          </ul>
          <div class="views">
            {shown ? (
              <FileView key={shown.fileid} place={where} file={shown} grows={!job.terminal_stage} />
            ) : (
              <p class="quiet">{isLive ? phrase('outputSoon') : phrase('outputAtEnd')}</p>
            )}
            {job.terminal_stage &&
              groups.results
                .filter((file) => file !== shown && opensByItself(file))
                .slice(0, mostOpened)
                .map((file) => (
                  <figure key={file.fileid}>
                    <figcaption class="quiet">{file.filename}</figcaption>
                    <FileView place={where} file={file} grows={false} />
                  </figure>
                ))}
          </div>
        </div>
      )}
    </section>
  );
}

const mostOpened = 3;
const mostBytesOpened = 2_000_000;

/** Pictures and tables are looked at first, and need no click. */
function opensByItself({ filename, length }: JobFile): boolean {
  return length < mostBytesOpened && /\.(png|jpe?g|gif|webp|svg|csv|tsv)$/i.test(filename);
}

function isOutput({ filename }: JobFile): boolean {
  return /^std(out|err)\b|\.(out|err)$/.test(filename);
}

/** Sorts the files: what the job said, what it made, and what it began with. */
export function groupFiles(files: readonly JobFile[], own: ReadonlySet<string>) {
  const isOwn = ({ filename }: JobFile) => own.has(filename);
  return {
    output: files.filter(isOutput),
    results: files.filter((file) => !isOutput(file) && !isOwn(file)),
    input: files.filter((file) => !isOutput(file) && isOwn(file)),
  };
}

/**
 * Chooses the file to open: what a failed job said about it, or else its output, or else a result.
 * Returns undefined as long as there may still be output.
 */
export function chooseFirst(
  files: readonly JobFile[],
  { failed, terminal_stage: ended = true }: Partial<Pick<Job, 'failed' | 'terminal_stage'>>,
  own: ReadonlySet<string> = new Set(),
): JobFile | undefined {
  const { output, results } = groupFiles(files, own);
  const written = output.filter(({ length }) => length > 0);
  const errors = written.find(({ filename }) => /^stderr\b|\.err$/.test(filename));
  if (failed && errors) return errors;
  const said = (some: readonly JobFile[]) =>
    some.find(({ filename }) => /^stdout\b|\.out$/.test(filename));
  if (!ended) return said(output);
  return said(written) ?? results.find(opensByItself) ?? said(output) ?? results[0] ?? files[0];
}

/** Downloads a file with the client, because a link would need the token in its address. */
async function saveFile(service: Slipway, file: FileOfJob, name: string): Promise<void> {
  const response = await service.readFile(file);
  saveBlob(await response.blob(), name.split('/').at(-1) ?? name);
}

interface FileViewProps {
  readonly place: Omit<FileOfJob, 'file_id'>;
  readonly file: JobFile;
  /** Whether the file may still grow. */
  readonly grows: boolean;
}

/** Shows a text, a table or a picture. A growing file is read again as it grows. */
function FileView({ place, file, grows }: FileViewProps) {
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
