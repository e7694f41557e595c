import { useEffect, useMemo, useState } from 'preact/hooks';
import { addressOf, goTo, query } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { type Catalog, catalog, openProjects } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button, Form } from '../parts/form.tsx';
import { ProblemNote, problemsByField, Skeleton } from '../parts/loading.tsx';
import { AfterField } from './after-field.tsx';
import {
  type Beginning,
  beginAgain,
  beginDraft,
  beginFrom,
  beginWith,
  draftFromJob,
  keepForm,
  recallForm,
  rememberSubmission,
} from './begin-draft.ts';
import { type Draft, isBatch, judgeDraft, programFieldOf, toSubmission } from './draft.ts';
import { DraftFields } from './draft-fields.tsx';
import { DropZone } from './drop-zone.tsx';
import { listTableProblems, ManyFields, TableProblems } from './many-fields.tsx';
import { PricePanel, useEstimate } from './price-panel.tsx';
import { useStrayNames } from './stray-names.tsx';
import { readTemplates, SaveTemplate, TemplateBar } from './templates.tsx';
import { phrase } from './words.ts';
import { writeCommand, writeCurl } from './write-commands.ts';

// The page of a job loads it from here, because two parts would have to share their modules.
export { SaveJobAsTemplate } from './templates.tsx';

export function SubmitPage() {
  const { value: known } = catalog;
  const again = query.value.get('again') ?? '';
  const template = query.value.get('template') ?? '';
  const from = query.value.get('from') ?? '';
  return (
    <>
      <h1>{again === '' ? pageNames.submit() : phrase('runAgain')}</h1>
      {!known && <Skeleton rows={6} />}
      {again === '' && <TemplateBar current={template} />}
      {known && again === '' && (
        <NewForm key={`${template} ${from}`} catalog={known} template={template} from={from} />
      )}
      {known && again !== '' && <AgainForm key={again} catalog={known} jobId={again} />}
    </>
  );
}

interface NewFormProps {
  readonly catalog: Catalog;
  /** The name of a template. Empty to start with the last submission. */
  readonly template: string;
  /** The id of a job or batch whose results become the input. */
  readonly from: string;
}

function NewForm({ catalog, template, from }: NewFormProps) {
  const { user } = useSession();
  const ofTemplate = template === '' ? '' : `template:${template}`;
  const of = from === '' ? ofTemplate : `from:${from}`;
  const found = readTemplates(user).find(({ name }) => name === template);
  const begin =
    recallForm({ user, of }, catalog) ??
    (from === '' ? undefined : beginFrom(from, user, catalog)) ??
    (found ? beginWith(found.draft, catalog) : beginDraft(user, catalog));
  return <SubmitForm catalog={catalog} of={of} begin={begin} />;
}

interface AgainFormProps {
  readonly catalog: Catalog;
  readonly jobId: string;
}

/** Starts with what this browser submitted, or with what the service knows. */
function AgainForm({ catalog, jobId }: AgainFormProps) {
  const { user } = useSession();
  const remembered = recallForm({ user, of: jobId }, catalog) ?? beginAgain(jobId, catalog);
  const hpc = query.value.get('hpc') ?? '';
  const { value, error, refresh } = useLive(`again ${jobId}`, async (service, signal) => {
    if (remembered || hpc === '') return beginDraft(user, catalog);
    const place = { hpc, project_name: query.value.get('project') ?? '', job_id: jobId };
    return draftFromJob(await service.getJob({ ...place, expand: 'request' }, { signal }));
  });
  const begin = remembered ?? value;
  if (begin) return <SubmitForm catalog={catalog} of={jobId} begin={begin} />;
  if (error !== undefined) return <ProblemNote error={error} onRetry={refresh} />;
  return <Skeleton rows={6} />;
}

interface SubmitFormProps {
  readonly catalog: Catalog;
  /** Names the job that is run again or the template. Empty for another job. */
  readonly of: string;
  readonly begin: Beginning;
}

function SubmitForm({ catalog, of, begin }: SubmitFormProps) {
  const { user, service, api } = useSession();
  const [draft, setDraft] = useState(begin.draft);
  const [input, setInput] = useState(begin.input);
  const [sent, setSent] = useState<number>();
  const [failed, setFailed] = useState<unknown>();
  const [tried, setTried] = useState(false);
  const [naming, setNaming] = useState(false);
  const paused = usePaused(draft);
  useEffect(() => {
    if (draft !== begin.draft || input !== begin.input) keepForm({ user, of }, draft, input);
  }, [draft, input]);
  // The key belongs to the draft, so that a second click makes no second job.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [draft, input]);
  const system = catalog.systems.find(({ name }) => name === draft.hpc) ?? catalog.systems[0];
  const { value: quotas } = useLive('quotas', (service, signal) =>
    service.listQuotas({ expand: 'usage' }, { signal }),
  );
  const estimated = useEstimate(draft, system, input);
  const stray = useStrayNames(draft, input, estimated);
  if (!system) return <p>{phrase('noSystem')}</p>;
  const project = draft.project === '' ? system.default_project : draft.project;
  const quota = quotas?.find((each) => each.project_name === project);
  const problems = new Map([
    ...problemsByField(failed ?? estimated.error),
    ...judgeDraft(paused, system),
    ...(tried && draft.program.trim() === ''
      ? [[programFieldOf(system), phrase('enterProgram')] as const]
      : []),
    ...stray.problemsOn(system),
  ]);
  // Whoever overlooks the note must not pay for a job that cannot run.
  const lacksInput = begin.missing !== undefined && !input;
  const omitsInput = lacksInput && tried;
  const wrongLines = listTableProblems(failed ?? estimated.error, draft.table);
  const change = (changed: Partial<Draft>) => {
    setFailed(undefined);
    setDraft((before) => ({ ...before, ...changed }));
  };
  const submit = async () => {
    setSent(0);
    const submission = {
      ...toSubmission(draft, system),
      ...(input && { input: input.zip, filename: input.filename }),
      idempotencyKey,
      onProgress: (done: number, whole: number) => setSent(whole > 0 ? done / whole : 1),
    };
    try {
      if (isBatch(draft)) {
        if (await stray.isFound(system)) return setSent(undefined);
        const batch = await service.submitBatch(submission);
        rememberSubmission({ user, of: batch.batch_id }, draft, input);
        announce(phrase('batchSubmitted'));
        goTo(addressOf.batch(batch));
        return;
      }
      const job = await service.submit(submission);
      rememberSubmission({ user, of: job.job_id }, draft, input);
      announce(phrase('jobSubmitted'));
      goTo(addressOf.job(job));
    } catch (error) {
      setFailed(error);
      setSent(undefined);
    }
  };
  return (
    <>
      <Form
        class="submit"
        noValidate
        onSubmit={() => {
          setTried(true);
          const isWhole = draft.program.trim() !== '' && judgeDraft(draft, system).size === 0;
          return isWhole && lacksInput === omitsInput && submit();
        }}
      >
        <div class="asked">
          <Missing words={begin.missing} isPressing={omitsInput} />
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
          <ManyFields draft={draft} input={input} problems={problems} onChange={change} />
          {wrongLines.length > 0 && <TableProblems of={wrongLines} />}
          {!isBatch(draft) && <AfterField draft={draft} problems={problems} onChange={change} />}
          {stray.choice}
          {failed !== undefined && wrongLines.length === 0 && <ProblemNote error={failed} />}
          <div class="line">
            <button type="submit" class="main" disabled={sent !== undefined}>
              {nameAct(draft, omitsInput)}
            </button>
            {sent !== undefined && <progress value={sent} aria-label={phrase('sending')} />}
            <Button onClick={() => setNaming(true)}>{phrase('saveAsTemplate')}…</Button>
            <CopyButton text={writeCommand(draft, system, input)} label={phrase('copyAsCommand')} />
            <CopyButton
              text={writeCurl(draft, system, { api, input })}
              label={phrase('copyAsCurl')}
            />
          </div>
        </div>
        <PricePanel
          system={system}
          estimated={estimated}
          quota={quota}
          told={problemsByField(estimated.error).size > 0}
        />
      </Form>
      {naming && <SaveTemplate draft={draft} onClose={() => setNaming(false)} />}
    </>
  );
}

interface MissingProps {
  readonly words: string | undefined;
  readonly isPressing: boolean;
}

function Missing({ words, isPressing }: MissingProps) {
  return words === undefined ? null : <p class={isPressing ? 'note bad' : 'note'}>{words}</p>;
}

function nameAct(draft: Draft, omitsInput: boolean): string {
  if (omitsInput) return phrase('sendWithout');
  return isBatch(draft) ? phrase('sendBatch') : phrase('sendJob');
}

const pauseMs = 400;

/** Returns the value after a pause in typing, so that no field is judged in the middle of a word. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
