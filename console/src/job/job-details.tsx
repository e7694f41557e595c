import { writeDuration } from '#client/src/format/write-duration.ts';
import type { Job } from '#client/src/index.ts';
import { Moment } from '../parts/moment.tsx';

export function JobDetails({ job }: { readonly job: Job }) {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <dl class="pairs">
        <div>
          <dt>Number</dt>
          <dd class="number">{job.id}</dd>
        </div>
        <div>
          <dt>Stage of the system</dt>
          <dd>{job.stage}</dd>
        </div>
        <div>
          <dt>Time granted</dt>
          <dd title={`${job.runtime} hours`}>{writeDuration(job.runtime * 3600)}</dd>
        </div>
        <div>
          <dt>Submitted</dt>
          <dd>
            <Moment at={job.init_date} />
          </dd>
        </div>
        <div>
          <dt>Ended</dt>
          <dd>{job.end_date === null ? 'not yet' : <Moment at={job.end_date} />}</dd>
        </div>
      </dl>
    </section>
  );
}
