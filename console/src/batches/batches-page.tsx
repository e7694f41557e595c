import { useRef, useState } from 'preact/hooks';
import type { Batch } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { BatchRow, ListChips } from '../jobs/batch-row.tsx';
import { useLive } from '../live/use-live.ts';
import { Button, useAttempt } from '../parts/form.tsx';
import { Empty, Loading, ProblemNote } from '../parts/loading.tsx';
import { phrase, rich } from './words.ts';

const pageSize = 50;

/** Lists all batches, the newest first. Only the newest page is kept up to date. */
export function BatchesPage() {
  const service = useService();
  const { value, error, refresh } = useLive(
    'batches',
    (service, signal) => service.listBatches({ limit: pageSize }, { signal }),
    { active: (batches) => batches.some(({ end_date: end }) => end === null) },
  );
  const [older, setOlder] = useState<readonly Batch[]>([]);
  const [done, setDone] = useState(false);
  const pages = useRef<AsyncIterator<Batch[]> | undefined>(undefined);
  const { busy, error: failed, attempt } = useAttempt();
  const loadMore = async () => {
    const reading =
      pages.current ?? service.listBatches({ limit: pageSize }).pages()[Symbol.asyncIterator]();
    // A reader that failed cannot go on. The next try starts a new one.
    pages.current = undefined;
    const { value: page, done: isEnd = false } = await reading.next();
    pages.current = reading;
    if (isEnd) setDone(true);
    else setOlder((before) => [...before, ...page]);
  };
  const batches = value && joinBatches(value, older);
  const mayHaveMore = value !== undefined && value.length >= pageSize && !done;
  return (
    <>
      <header class="page-head">
        <div class="line">
          <h1>{pageNames.batches()}</h1>
          <ListChips current="batches" />
        </div>
        <a class="button main" href={addressOf.submit}>
          {pageNames.submit()}
        </a>
      </header>
      <Loading value={value} error={error} refresh={refresh} rows={8} />
      {batches?.length === 0 && (
        <Empty title={phrase('noneYet')}>
          {rich('dropForMany', { drop: <a href={addressOf.submit}>{phrase('dropFolder')}</a> })}
        </Empty>
      )}
      {batches !== undefined && batches.length > 0 && (
        <ul class="rows">
          {batches.map((batch) => (
            <li key={batch.batch_id} data-row>
              <BatchRow batch={batch} />
            </li>
          ))}
        </ul>
      )}
      {failed !== undefined && <ProblemNote error={failed} />}
      {mayHaveMore && !busy && (
        <div class="line">
          <Button onClick={() => attempt(loadMore)}>{phrase('showOlder')}</Button>
        </div>
      )}
    </>
  );
}

/** Joins the newest page with older ones. A batch that is in both counts as it is in the newest. */
export function joinBatches(newest: readonly Batch[], older: readonly Batch[]): readonly Batch[] {
  const seen = new Map([...newest, ...older].map((batch) => [batch.batch_id, batch]));
  for (const batch of newest) seen.set(batch.batch_id, batch);
  return [...seen.values()];
}
