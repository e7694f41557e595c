import { useState } from 'preact/hooks';
import { writeNodeTime, writeReservation } from '#client/src/format/amounts/amounts.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, type JobPlace, systemOf, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { chargingOf, systemFor } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Button, PlainButton } from '../parts/form.tsx';
import { later } from '../parts/later.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { readJobAccount } from '../quotas/job-account.ts';
import { describeResult, discardActFor } from './discard-jobs.ts';
import { JobChain } from './job-chain.tsx';
import { JobFiles } from './job-files.tsx';
import { JobDetails, JobFrame, useJob } from './job-frame.tsx';
import { phrase } from './words.ts';

const SaveJobAsTemplate = later(
  async () => (await import('../submit/submit-page.tsx')).SaveJobAsTemplate,
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
                {phrase('indexOfBatch', { index: job.index ?? '' })}
              </a>
            </>
          )}
        </span>
      )}
      acts={(job) => (
        <div class="line">
          <a class="button" href={withQuery(addressOf.submit, { again: job.job_id, hpc, project })}>
            {phrase('runAgain')}
          </a>
          {job.terminal_stage && !job.failed && discardActFor(job) === 'delete' && (
            <a class="button" href={withQuery(addressOf.submit, { from: job.job_id })}>
              {phrase('useResults')}
            </a>
          )}
          {discardActFor(job) && (
            <Button class="danger" onClick={() => setDiscarding(true)}>
              {discardActFor(job) === 'delete' ? phrase('deleteJob') : phrase('cancelJob')}
            </Button>
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
                  <PlainButton onClick={() => setSaving(true)}>
                    {phrase('saveAsTemplate')}
                  </PlainButton>
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
  const { title } = job;
  if (job.terminal_stage) {
    return (
      <Confirm
        title={title === '' ? phrase('deleteThis') : phrase('deleteTitled', { title })}
        act={phrase('deleteJob')}
        onAct={onDiscard}
        onClose={onClose}
      >
        <p>{phrase('deleteMeans')}</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={title === '' ? phrase('cancelThis') : phrase('cancelTitled', { title })}
      act={phrase('cancelJob')}
      onAct={onDiscard}
      onClose={onClose}
    >
      <p>
        {phrase('cancelMeans', {
          system: systemOf(job),
          time: writeNodeTime(job.runtime * 3600, 'wall-clock'),
        })}{' '}
        {(systemFor(job)?.cancel_keeps_output ?? true)
          ? phrase('outputKept')
          : phrase('outputLost')}
      </p>
    </Confirm>
  );
}

function JobAccount({ job }: { readonly job: Job }) {
  const { value } = useLive(`account ${job.job_id} ${job.stage}`, (service, signal) =>
    readJobAccount(service, job, signal),
  );
  const charging = chargingOf(job.project_hpc);
  const written = value && writeReservation(value, charging);
  const atEnd = (text = '') => (job.terminal_stage ? text : phrase('knownAtEnd'));
  const inSeconds = (count = 0) => phrase('seconds', { count });
  return (
    <section aria-labelledby="account-title">
      <h2 id="account-title">{phrase('quota')}</h2>
      {value && (
        <Pairs
          of={[
            [phrase('reserved'), written?.reserved, inSeconds(value.held)],
            [phrase('used'), atEnd(written?.used), inSeconds(value.held - value.returned)],
            [phrase('returned'), atEnd(written?.returned), inSeconds(value.returned)],
          ]}
        />
      )}
      <p>
        <a href={addressOf.ledger(job)}>{pageNames.ledger(job.project_name)}</a>
      </p>
    </section>
  );
}
