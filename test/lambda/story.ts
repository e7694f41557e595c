import type { ExampleCall } from '#tools/events/example-calls.ts';
import type { Names } from '#tools/story/things.ts';
import { exampleEvent } from './deployed/example-event.ts';

/** One function, called twice with its example: after all those that stand before it. */
export interface Chapter {
  readonly name: string;
  /** The status, or what a function answers that nobody calls over HTTP. */
  readonly answers: unknown;
  /** Which of the two jobs and requests that were made before it is about. */
  readonly about?: 'first' | 'second';
  /** Whether it is told of the moment at which the first job is due. */
  readonly isAboutDue?: boolean;
  /** What is sent otherwise than by the example. */
  readonly instead?: ExampleCall;
  /** The same for the second call alone. */
  readonly secondly?: ExampleCall;
  /** Types of items that there are more of after the first call. */
  readonly leaves?: readonly string[];
  /** What arrives at the bus by the first call. */
  readonly sends?: readonly string[];
  /** The type of items that are due before the first call, and not after it. */
  readonly takesUp?: string;
  /** How the file begins that its address leads to. */
  readonly opens?: string;
}

/** An event that is more than a day old is not delivered any more. */
const minuteAgo = new Date(Date.now() - 60_000);

/** Two jobs and two batches from their submission to their removal, with all that is around them. */
export const story: readonly Chapter[] = [
  { name: 'read-status', answers: 200 },
  { name: 'read-reference', answers: 200 },
  { name: 'list-systems', answers: 200 },
  { name: 'read-projects', answers: 200 },
  { name: 'fallback', answers: 200 },
  { name: 'submit-job', answers: 201, leaves: ['job', 'job-life', 'ledger-line', 'quota'] },
  { name: 'read-jobs', answers: 200 },
  { name: 'read-quotas', answers: 200 },
  { name: 'dispatch-jobs', answers: null, sends: ['jobs.due'], isAboutDue: true },
  { name: 'publish-events', answers: { batchItemFailures: [] }, sends: ['job.submitted'] },
  { name: 'hand-out-input', answers: 307, opens: 'PK' },
  { name: 'hand-over-jobs', answers: null, leaves: ['simulated-job'], isAboutDue: true },
  { name: 'take-results', answers: 307 },
  { name: 'track-jobs', answers: null, takesUp: 'job-life' },
  { name: 'read-files', answers: 200 },
  // No system of the catalog keeps folders.
  { name: 'clear-folder', answers: 404 },
  { name: 'read-all-jobs', answers: 200 },
  { name: 'create-upload', answers: 201, leaves: ['upload'] },
  { name: 'remove-uploads', answers: null, takesUp: 'upload' },
  // Its host is no public address, which is found out when it is called: no test calls another one.
  {
    name: 'create-webhook',
    answers: 201,
    leaves: ['webhook'],
    instead: { body: JSON.stringify({ url: 'https://localhost/hook', events: ['job.ended'] }) },
  },
  { name: 'read-webhooks', answers: 200 },
  { name: 'queue-deliveries', answers: null, leaves: ['delivery'] },
  { name: 'deliver-events', answers: null, takesUp: 'delivery' },
  { name: 'delete-webhook', answers: 200 },
  { name: 'change-notifications', answers: 200, leaves: ['notifications'] },
  { name: 'answer-mail', answers: 200 },
  {
    name: 'create-request',
    answers: 201,
    leaves: ['quota-request'],
    secondly: {
      body: JSON.stringify({
        hpc: 'hpc_two',
        project_name: 'proj_hpc_two_01',
        time: 36_000,
        reason: 'a course in spring',
      }),
    },
  },
  { name: 'read-requests', answers: 200 },
  { name: 'read-all-requests', answers: 200 },
  { name: 'decide-request', answers: 200 },
  { name: 'withdraw-request', answers: 200, about: 'second' },
  { name: 'count-ends', answers: null, leaves: ['usage-sum'] },
  { name: 'read-usage', answers: 200 },
  { name: 'read-usage-report', answers: 200 },
  { name: 'submit-batch', answers: 201, leaves: ['batch', 'batch-order', 'ledger-line'] },
  { name: 'read-batches', answers: 200 },
  { name: 'advance-batches', answers: null, leaves: ['job', 'job-life', 'job-request'] },
  { name: 'attend-batches', answers: null, takesUp: 'batch' },
  { name: 'delete-batch', answers: 200 },
  // Nothing waits for the job, and no job waits.
  { name: 'release-jobs', answers: null },
  { name: 'check-waiting', answers: null },
  { name: 'grant-quota', answers: 201 },
  { name: 'grant-quotas', answers: 200 },
  { name: 'read-all-quotas', answers: 200 },
  { name: 'attend-quotas', answers: null, takesUp: 'quota' },
  { name: 'remove-quota', answers: 200 },
  { name: 'open-project', answers: 201, leaves: ['project'] },
  { name: 'close-project', answers: 200 },
  { name: 'change-user', answers: 200 },
  { name: 'read-users', answers: 200 },
  { name: 'clear-user', answers: 200 },
  {
    name: 'map-accounts',
    answers: 200,
    instead: { body: '{"user_id": "306328", "hpc": "hpc_mapped", "account": "ada"}\n' },
  },
  { name: 'change-maintenance', answers: 201, leaves: ['system-maintenance'] },
  { name: 'read-systems', answers: 200 },
  { name: 'read-audit', answers: 200 },
  { name: 'measure-queue', answers: null },
  // What they give back depends on the seconds that a job ran: nobody reads a quota after this.
  { name: 'delete-job', answers: 200 },
  { name: 'delete-any-job', answers: 200, about: 'second' },
  { name: 'reconcile-accounts', answers: null },
];

export function chapterOf(name: string): Chapter {
  const chapter = story.find((each) => each.name === name);
  if (!chapter) throw new Error(`test/lambda/story.ts says nothing of ${name}.`);
  return chapter;
}

/** The event of a chapter, about what there is by then. */
export function tell(
  { name, instead, secondly, isAboutDue }: Chapter,
  { names = {}, due }: { readonly names?: Partial<Names>; readonly due?: Date | undefined } = {},
  time: 'first' | 'second' = 'first',
): unknown {
  const call = { ...instead, ...(time === 'second' && secondly) };
  return exampleEvent(name, { names, at: isAboutDue ? due : minuteAgo, call });
}
