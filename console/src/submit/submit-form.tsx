import { useMemo, useState } from 'preact/hooks';
import { goTo } from '../address/address.ts';
import { addressOf } from '../address/address-of.ts';
import type { Session } from '../connection/session.ts';
import { type Catalog, openProjects } from '../connection/use-catalog.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { problemsByField } from '../parts/explain-problem.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import type { Beginning } from './begin-draft.ts';
import { type Draft, judgeDraft, toSubmission } from './draft.ts';
import { DraftFields } from './draft-fields.tsx';
import { DropZone } from './input/drop-zone.tsx';
import { PricePanel } from './price-panel.tsx';
import { rememberSubmission } from './remembered.ts';
import { useEstimate } from './use-estimate.ts';
import { writeCommand, writeCurl } from './write-commands.ts';

interface SubmitFormProps {
  readonly session: Session;
  readonly catalog: Catalog;
  readonly begin: Beginning;
}

export function SubmitForm({ session, catalog, begin }: SubmitFormProps) {
  const [draft, setDraft] = useState(begin.draft);
  const [input, setInput] = useState(begin.input);
  const [sent, setSent] = useState<number>();
  const [failed, setFailed] = useState<unknown>();
  // One for each thing that is submitted: a second click makes no second job.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [draft, input]);
  const system = catalog.systems.find(({ name }) => name === draft.hpc) ?? catalog.systems[0];
  const { value: quotas } = useLive('quotas', (signal) =>
    session.service.listQuotas({ expand: 'usage' }, { signal }),
  );
  const estimated = useEstimate(session, draft, system, input);
  if (!system) return <p>There is no system to submit to.</p>;
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
      announce('The job is submitted.');
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
            Submit
          </button>
          {sent !== undefined && <progress value={sent} aria-label="Sending" />}
          <CopyButton text={writeCommand(draft, system, input)} label="Copy as a command" />
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
