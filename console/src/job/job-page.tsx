import { useState } from 'preact/hooks';
import { writeNodeTime } from '#client/src/format/amounts.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, type JobPlace, systemOf, withQuery } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf, systemFor } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';
import { later } from '../parts/later.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { readJobAccount } from '../quotas/job-account.ts';
import { describeResult, discardActFor } from './discard-jobs.ts';
import { JobChain } from './job-chain.tsx';
import { JobFiles } from './job-files.tsx';
import { JobDetails, JobFrame, useJob } from './job-frame.tsx';

const SaveJobAsTemplate = later(
  async () => (await import('../submit/templates.tsx')).SaveJobAsTemplate,
);

export function JobPage({ at: { hpc, project, jobId } }: { readonly at: JobPlace }) {
  const service = useService();
  const where = { hpc, project_name: project, job_id: jobId };
  const seen = useJob(`job ${jobId}`, ({ getJob, getTimeline }, signal) => [
    getJob({ ...where, expand: 'request' }, { signal }),
    getTimeline(where, { signal }),
  ]);
  const [discarding, setDiscarding] = useState(false);
  const [saving, setSaving] = useState(false);
  return (
    <JobFrame
      seen={seen}
      where={(job) => (
        <span class="quiet">
          {systemOf(job)} · {job.project_name}
          {job.batch !== undefined && (
            <>
              {' · '}
              <a href={addressOf.batch({ ...job, batch_id: job.batch })}>
                index {job.index} of a batch
              </a>
            </>
          )}
        </span>
      )}
      acts={(job) => (
        <div class="line">
          <a class="button" href={withQuery(addressOf.submit, { again: job.job_id, hpc, project })}>
            Run again
          </a>
          {discardActFor(job) && (
            <button type="button" class="danger" onClick={() => setDiscarding(true)}>
              {discardActFor(job) === 'delete' ? 'Delete job' : 'Cancel job'}
            </button>
          )}
        </div>
      )}
    >
      {(job, timeline) => (
        <>
          <JobChain job={job} timeline={timeline} />
          <JobFiles job={job} />
          <div class="columns">
            <JobDetails job={job} timeline={timeline}>
              {job.request && (
                <p>
                  <PlainButton onClick={() => setSaving(true)}>Save as a template…</PlainButton>
                </p>
              )}
            </JobDetails>
            <JobAccount job={job} />
          </div>
          {saving && <SaveJobAsTemplate job={job} onClose={() => setSaving(false)} />}
          {discarding && (
            <Discard
              job={job}
              onDiscard={async () => {
                const only = job.terminal_stage ? 'delete' : 'cancel';
                announce(describeResult(only, await service.deleteJob({ ...where, only })));
                seen.refresh();
              }}
              onClose={() => setDiscarding(false)}
            />
          )}
        </>
      )}
    </JobFrame>
  );
}

interface DiscardProps {
  readonly job: Job;
  readonly onDiscard: () => Promise<unknown>;
  readonly onClose: () => void;
}

function Discard({ job, onDiscard, onClose }: DiscardProps) {
  const name = job.title === '' ? 'this job' : `“${job.title}”`;
  if (job.terminal_stage) {
    return (
      <Confirm title={`Delete ${name}?`} act="Delete job" onAct={onDiscard} onClose={onClose}>
        <p>
          Its files are deleted for good, and the space of its input is free again. The job stays in
          your lists with what it used.
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm title={`Cancel ${name}?`} act="Cancel job" onAct={onDiscard} onClose={onClose}>
      <p>
        The job stops on {systemOf(job)} and cannot be resumed. You are charged for the time it ran;
        the rest of the {writeNodeTime(job.runtime * 3600, 'wall-clock')} is returned.{' '}
        {(systemFor(job)?.cancel_keeps_output ?? true)
          ? 'Its output is kept.'
          : 'Its output is lost.'}
      </p>
    </Confirm>
  );
}

function JobAccount({ job }: { readonly job: Job }) {
  const { value } = useLive(`account ${job.job_id} ${job.stage}`, (service, signal) =>
    readJobAccount(service, job, signal),
  );
  const write = (seconds: number) => writeNodeTime(seconds, chargingOf(job.project_hpc));
  const atEnd = (seconds: number) =>
    job.terminal_stage ? write(seconds) : 'known when the job ends';
  return (
    <section aria-labelledby="account-title">
      <h2 id="account-title">Quota</h2>
      {value && (
        <Pairs
          of={[
            { name: 'Reserved', value: write(value.held), title: `${value.held} seconds` },
            { name: 'Used', value: atEnd(value.held - value.returned) },
            { name: 'Returned', value: atEnd(value.returned) },
          ]}
        />
      )}
      <p>
        <a href={addressOf.ledger(job)}>Ledger of {job.project_name}</a>
      </p>
    </section>
  );
}
