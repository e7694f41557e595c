import * as v from 'valibot';
import { listProjects } from '#lib/projects/list-projects.ts';
import type { Table } from '#lib/table/table.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { reconcileAll } from '#tools/reconcile/reconcile-all.ts';
import { askPages, type Place, readJson } from './ask.ts';
import { type Accepted, jobsInBatch, users } from './load.ts';
import type { Receiver } from './receiver.ts';
import type { Verdict } from './verdicts.ts';

/** What became of everything that was accepted. */
export interface Ends {
  readonly accepted: number;
  /** Jobs that the service has and that ended well. */
  readonly settled: number;
  /** Accepted jobs that the service does not have. */
  readonly lost: number;
  /** Jobs that the service has and that nobody asked for. */
  readonly doubled: number;
  readonly expectedPushes: number;
  readonly missingPushes: number;
  /** Pushes with a wrong signature. */
  readonly forged: number;
  readonly accounts: number;
  readonly wrongAccounts: number;
}

const Jobs = readJson(
  v.array(
    v.object({
      job_id: v.string(),
      terminal_stage: v.boolean(),
      failed: v.boolean(),
      batch: v.optional(v.string()),
    }),
  ),
);
type Job = v.InferOutput<typeof Jobs>[number];

export async function countEnds(
  place: Place,
  table: Table,
  { jobs: accepted, batches }: Accepted,
  receiver: Receiver,
): Promise<Ends> {
  const jobs: Job[] = [];
  for (const user of users) {
    for await (const page of askPages(place, user, '/jobs/?limit=1000')) {
      jobs.push(...v.parse(Jobs, page));
    }
  }
  const alone = jobs.filter(({ batch }) => !batch);
  const known = new Set(alone.map(({ job_id: id }) => id));
  const ofBatches = jobs.filter(({ batch }) => batch && batches.has(batch));
  const expectedOfBatches = batches.size * jobsInBatch;
  const lostAlone = [...accepted].filter((id) => !known.has(id)).length;
  const events = [...jobs.map(({ job_id: id }) => id), ...batches].map((id) => `${id}-ended`);
  const arrived = receiver.arrived();
  const projects = await listProjects(table, catalog.systems);
  const accounts = await reconcileAll(
    table,
    { projects, fix: false },
    { onFinding: () => undefined, onStanding: () => undefined, onProgress: () => undefined },
  );
  return {
    accepted: accepted.size + expectedOfBatches,
    settled: jobs.filter(({ terminal_stage: ended, failed }) => ended && !failed).length,
    lost: lostAlone + Math.max(0, expectedOfBatches - ofBatches.length),
    doubled:
      alone.filter(({ job_id: id }) => !accepted.has(id)).length +
      jobs.filter(({ batch }) => batch && !batches.has(batch)).length +
      Math.max(0, ofBatches.length - expectedOfBatches),
    expectedPushes: events.length,
    missingPushes: events.filter((id) => !arrived.has(id)).length,
    forged: receiver.forged(),
    accounts: accounts.checked,
    wrongAccounts: accounts.wrong + accounts.busy,
  };
}

export function judgeEnds(ends: Ends): Verdict[] {
  const { accepted, settled, lost, doubled, accounts, wrongAccounts } = ends;
  return [
    {
      name: 'jobs',
      measured: `${settled} of ${accepted} settled, ${lost} lost, ${doubled} doubled`,
      wanted: 'each exactly once',
      holds: settled === accepted && lost === 0 && doubled === 0,
    },
    {
      name: 'webhooks',
      measured: `${ends.expectedPushes - ends.missingPushes} of ${ends.expectedPushes} events arrived, ${ends.forged} with a wrong signature`,
      wanted: 'all, genuine',
      holds: ends.missingPushes === 0 && ends.forged === 0,
    },
    {
      name: 'accounts',
      measured: `${wrongAccounts} of ${accounts} wrong`,
      wanted: 'none',
      holds: wrongAccounts === 0 && accounts > 0,
    },
  ];
}
