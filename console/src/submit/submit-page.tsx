import { query } from '../address/address.ts';
import type { Session } from '../connection/session.ts';
import { type Catalog, useCatalog } from '../connection/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { readJobAccount } from '../quotas/ledger/read-job-account.ts';
import { beginAgain, beginDraft } from './begin-draft.ts';
import { draftFromJob } from './draft-from-job.ts';
import { SubmitForm } from './submit-form.tsx';

export function SubmitPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const again = query.value.get('again') ?? '';
  return (
    <>
      <h1>{again === '' ? 'Submit a job' : 'Run it again'}</h1>
      {!catalog && <Waiting rows={6} />}
      {catalog && again === '' && (
        <SubmitForm session={session} catalog={catalog} begin={beginDraft(catalog)} />
      )}
      {catalog && again !== '' && (
        <AgainForm key={again} session={session} catalog={catalog} jobId={again} />
      )}
    </>
  );
}

interface AgainFormProps {
  readonly session: Session;
  readonly catalog: Catalog;
  readonly jobId: string;
}

/** As this browser submitted it, or as much of it as the service tells. */
function AgainForm({ session, catalog, jobId }: AgainFormProps) {
  const { service } = session;
  const remembered = beginAgain(jobId, catalog);
  const hpc = query.value.get('hpc') ?? '';
  const { value, error, refresh } = useLive(`again ${jobId}`, async (signal) => {
    if (remembered) return undefined;
    const place = { hpc, project_name: query.value.get('project') ?? '', job_id: jobId };
    const job = await service.getJob(place, { signal });
    return { job, held: (await readJobAccount(service, job, signal)).held };
  });
  const system = catalog.systems.find(({ name }) => name === hpc);
  const begin = remembered ?? (value && system && draftFromJob(value.job, value.held, system));
  if (begin) return <SubmitForm session={session} catalog={catalog} begin={begin} />;
  if (error !== undefined) return <ProblemNote error={error} onRetry={refresh} />;
  return system ? (
    <Waiting rows={6} />
  ) : (
    <SubmitForm session={session} catalog={catalog} begin={beginDraft(catalog)} />
  );
}
