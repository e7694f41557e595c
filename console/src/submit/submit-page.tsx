import { useMemo, useState } from 'preact/hooks';
import { goTo, query } from '../browser/address.ts';
import { addressOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { type Catalog, openProjects, useCatalog } from '../connection/use-catalog.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Skeleton } from '../parts/loading.tsx';
import { ProblemNote, problemsByField } from '../parts/problem-note.tsx';
import { readJobAccount } from '../quotas/job-account.ts';
import {
  type Beginning,
  beginAgain,
  beginDraft,
  draftFromJob,
  rememberSubmission,
} from './begin-draft.ts';
import { type Draft, judgeDraft, toSubmission } from './draft.ts';
import { DraftFields } from './draft-fields.tsx';
import { DropZone } from './drop-zone.tsx';
import { PricePanel, useEstimate } from './price-panel.tsx';
import { writeCommand, writeCurl } from './write-commands.ts';

export function SubmitPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const again = query.value.get('again') ?? '';
  return (
    <>
      <h1>{again === '' ? 'Submit a job' : 'Run again'}</h1>
      {!catalog && <Skeleton rows={6} />}
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

/** Starts with what this browser submitted, or with what the service knows. */
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
    <Skeleton rows={6} />
  ) : (
    <SubmitForm session={session} catalog={catalog} begin={beginDraft(catalog)} />
  );
}

interface SubmitFormProps {
  readonly session: Session;
  readonly catalog: Catalog;
  readonly begin: Beginning;
}

function SubmitForm({ session, catalog, begin }: SubmitFormProps) {
  const [draft, setDraft] = useState(begin.draft);
  const [input, setInput] = useState(begin.input);
  const [sent, setSent] = useState<number>();
  const [failed, setFailed] = useState<unknown>();
  // The key belongs to the draft, so that a second click makes no second job.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [draft, input]);
  const system = catalog.systems.find(({ name }) => name === draft.hpc) ?? catalog.systems[0];
  const { value: quotas } = useLive('quotas', (signal) =>
    session.service.listQuotas({ expand: 'usage' }, { signal }),
  );
  const estimated = useEstimate(session, draft, system, input);
  if (!system) return <p>No system is available. Ask your administrator.</p>;
  const project = draft.project === '' ? system.default_project : draft.project;
  const quota = quotas?.find((each) => each.project_name === project);
  const problems = new Map([...problemsByField(failed ?? estimated.error), ...judgeDraft(draft)]);
  const change = (changed: Partial<Draft>) => {
    setFailed(undefined);
    setDraft((before) => ({ ...before, ...changed }));
  };
  const submit = async () => {
    setSent(0);
    try {
      const job = await session.service.submit({
        ...toSubmission(draft, system),
        ...(input && { input: input.zip, filename: input.filename }),
        idempotencyKey,
        onProgress: (done, whole) => setSent(whole > 0 ? done / whole : 1),
      });
      rememberSubmission(job.job_id, draft, input);
      announce('Job submitted.');
      goTo(addressOf.job(job));
    } catch (error) {
      setFailed(error);
      setSent(undefined);
    }
  };
  return (
    <form
      class="submit"
      onSubmit={(event) => {
        event.preventDefault();
        if (judgeDraft(draft).size === 0) void submit();
      }}
    >
      <div class="asked">
        {begin.missing !== undefined && <p class="note">{begin.missing}</p>}
        <DropZone input={input} onInput={setInput} />
        <DraftFields
          draft={draft}
          system={system}
          systems={catalog.systems}
          projects={openProjects(catalog).filter(
            ({ project_hpc: hpc }) => hpc === system.project_hpc,
          )}
          problems={problems}
          onChange={change}
        />
        {failed !== undefined && <ProblemNote error={failed} />}
        <div class="line">
          <button type="submit" class="main" disabled={sent !== undefined}>
            Submit job
          </button>
          {sent !== undefined && <progress value={sent} aria-label="Sending" />}
          <CopyButton text={writeCommand(draft, system, input)} label="Copy as command" />
          <CopyButton
            text={writeCurl(draft, system, { api: location.origin, input })}
            label="Copy as curl"
          />
        </div>
      </div>
      <PricePanel
        system={system}
        estimated={estimated}
        quota={quota}
        told={problemsByField(estimated.error).size > 0}
      />
    </form>
  );
}
