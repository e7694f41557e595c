import { type Job, type JobFile, placeOf, type Slipway } from '#client/src/index.ts';
import { describeNoFiles } from '#client/src/jobs/read-file.ts';
import { addressOf } from '../browser/address.ts';
import { readText } from '../job/read-contents.ts';
import { useLive } from '../live/use-live.ts';
import { Loading } from '../parts/loading.tsx';
import { phrase, rich } from './words.ts';

/** Shows why a job ended or waits, and the end of its output. */
export function JobBrief({ job }: { readonly job: Job }) {
  const { value, error, refresh } = useLive(
    `brief ${job.job_id} ${job.stage}`,
    (service, signal) => readBrief(service, job, signal),
    { active: () => !job.terminal_stage },
  );
  return (
    <div class="brief">
      <Loading value={value} error={error} refresh={refresh} rows={2} />
      {value?.reason && <p class={job.failed ? 'note bad' : 'note'}>{value.reason}</p>}
      {value &&
        (value.end === undefined ? (
          <p class="quiet">{describeNoFiles(job)}</p>
        ) : (
          <>
            <p class="quiet">{rich('endOf', { file: <code>{value.name}</code> })}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard. */}
            <pre tabIndex={0}>{value.end === '' ? phrase('emptyFile') : value.end}</pre>
          </>
        ))}
      <p>
        <a href={addressOf.job(job)}>{phrase('openJob')}</a>
      </p>
    </div>
  );
}

interface Brief {
  readonly reason: string | null;
  readonly name?: string;
  /** The last lines. Undefined if there is no output that can be shown. */
  readonly end?: string | undefined;
}

/** More would take long, and only the end is shown. */
const mostBytes = 2_000_000;

async function readBrief(service: Slipway, job: Job, signal: AbortSignal): Promise<Brief> {
  const place = placeOf(job);
  const [{ reason }, files] = await Promise.all([
    service.getTimeline(place, { signal }),
    service.listFiles(place, { signal }),
  ]);
  const file = chooseOutput(files, job);
  if (!file || file.length > mostBytes) return { reason };
  const text = await readText(
    await service.readFile({ ...place, file_id: file.fileid }, { signal }),
  );
  return { reason, name: file.filename, end: text === undefined ? undefined : lastLines(text) };
}

/** Chooses the output, or the errors of a job that failed. */
export function chooseOutput(
  files: readonly JobFile[],
  { failed }: Pick<Job, 'failed'>,
): JobFile | undefined {
  const find = (form: RegExp) => files.find((file) => form.test(file.filename) && file.length > 0);
  const errors = failed ? find(/^stderr\b|\.err$/) : undefined;
  return errors ?? find(/^stdout\b|\.out$/);
}

const mostLines = 20;

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-mostLines).join('\n');
}
