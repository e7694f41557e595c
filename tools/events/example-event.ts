import { marshall } from '@aws-sdk/util-dynamodb';
import { endpoints } from '#functions/endpoints.ts';
import { type Listener, listeners } from '#functions/listeners.ts';
import { describedRouteNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { newBatchToItem } from '#lib/batches/batch.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { type Endpoint, type EndpointTable, requiredPart } from '#lib/http/routes/route.ts';
import { accountOf, type Job, jobToItem } from '#lib/jobs/job.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import type { Issuer } from '#local/issuer.ts';
import { wordsFor } from '../description/words/words.ts';
import { beginning, type Names, names, submittedBatch, submittedJob } from '../story/things.ts';
import { type ExampleCall, exampleCalls, json } from './example-calls.ts';

export interface Teller {
  /** Whose tokens and passes hold. */
  readonly issuer: Pick<Issuer, 'issueToken' | 'passSecret'>;
  /** What things are called otherwise than in the story. */
  readonly names?: Partial<Names>;
  /** When it is, if not at the beginning of the story. */
  readonly at?: Date | undefined;
  /** What a request has otherwise than the example. */
  readonly call?: ExampleCall | undefined;
}

type ExampleEvent = Readonly<Record<string, unknown>>;

const allEndpoints: EndpointTable = endpoints;
const allListeners: Readonly<Record<string, Listener>> = listeners;
const ownCalls: Readonly<Record<string, ExampleCall | undefined>> = exampleCalls;

/** Every function with an example. */
export const exampleNames = [
  ...[endpoints, schedules, streams, listeners].flatMap((each) => Object.keys(each)),
  'fallback',
];

/** Writes the example event of a function, as its caller does. */
export function exampleEvent(name: string, { call, ...teller }: Teller): ExampleEvent {
  const { at = beginning } = teller;
  const known = { ...names, ...teller.names };
  const job = submittedJob(known, at);
  const endpoint = allEndpoints[name];
  if (endpoint)
    return writeRequest(endpoint, { ...findCall(name, endpoint), ...call }, known, teller);
  // The gateway misses a path for its slash, and leaves it to the function of all the others.
  if (name === 'fallback')
    return writeRequest(endpoints['list-systems'], { operation: 'list' }, known, teller);
  if (name === 'track-jobs') return { hpc: known.hpc, run: { number: 0, of: 1 } };
  if (name in schedules) return writeBusEvent('aws.events', 'Scheduled Event', {}, at);
  if (name === 'dispatch-jobs') return { Records: [writeInsert(newLifeToItem(job), at)] };
  if (name === 'publish-events') return { Records: [writeInsert(jobToItem(job), at)] };
  const told = tellListeners(job, known)[name];
  const listener = allListeners[name];
  if (!told || !listener) throw new Error(`The story has no event for ${name}.`);
  return writeBusEvent(listener.source, told.type, told.detail, at);
}

/** Sends the body that the description of the API shows, unless the example has its own. */
function findCall(name: string, { paths }: Endpoint): ExampleCall {
  const own = ownCalls[name];
  const route = describedRouteNames.find((each) => each === name);
  const { operation = Object.keys(paths)[0] ?? '' } = own ?? {};
  const { requestExample } = route ? wordsFor(route, operation) : {};
  return { ...(requestExample && json(requestExample)), ...own, operation };
}

function writeRequest(
  { method, paths, access }: Endpoint,
  { operation, query, pass, headers, ...call }: ExampleCall,
  known: Names,
  teller: Teller,
): ExampleEvent {
  const template = paths[operation ?? ''] ?? '';
  const named = new Map(Object.entries({ ...known, ...call.names }));
  const path = requiredPart(template).replaceAll(
    /\{(\w+)\}/g,
    (_, name) => named.get(name) ?? `{${name}}`,
  );
  const wish =
    access === 'caller' ? { user: known.user_id } : { user: '100001', administrator: true };
  const { body, isBase64Encoded = false } = call;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: [pass && `pass=${writePass(pass, known, teller)}`, query]
      .filter((part) => part !== undefined)
      .join('&'),
    headers: {
      accept: 'application/json',
      host: 'localhost',
      'x-forwarded-proto': 'http',
      ...(access !== 'public' && { authorization: `Bearer ${teller.issuer.issueToken(wish)}` }),
      ...headers,
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'local',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8.14.1' },
      requestId: 'example-request',
      routeKey: '$default',
      stage: '$default',
      time: '15/Nov/2026:08:30:00 +0000',
      timeEpoch: beginning.getTime(),
    },
    ...(body !== undefined && { body }),
    isBase64Encoded,
  };
}

function writePass(
  purpose: NonNullable<ExampleCall['pass']>,
  known: Names,
  { issuer }: Teller,
): string {
  const job = submittedJob(known);
  const endsAt = new Date(Date.now() + 3_600_000);
  if (purpose === 'unsubscribe') {
    const pass = { user: job.owner, email: 'ada@example.org' };
    return createMailPasses(issuer.passSecret).write(purpose, pass, endsAt);
  }
  const pass = { purpose, account: accountOf(job), jobId: job.jobId, endsAt };
  return createPasses(issuer.passSecret).write(pass);
}

/** What each listener is told of. */
function tellListeners(
  job: Job,
  known: Names,
): Readonly<Record<string, { readonly type: string; readonly detail: object }>> {
  const { jobId, owner, submittedAt: at } = job;
  const { PK, SK } = newLifeToItem(job);
  const batch = newBatchToItem(submittedBatch(known));
  const end = { account: accountOf(job), jobId, at, used: 11_520, outcome: 'succeeded' };
  const ended = { ...job, stage: 'SUCCESSFUL', terminal: true, endedAt: at };
  const event = { type: 'job.ended', id: `${jobId}-ended`, owner, at, job: ended } as const;
  return {
    'hand-over-jobs': {
      type: 'jobs.due',
      detail: { hpc: known.hpc, due: [{ PK, SK, dueAt: at }] },
    },
    'release-jobs': { type: 'jobs.waiting', detail: { owner, ended: [jobId], waiting: [] } },
    'advance-batches': { type: 'batches.due', detail: { due: [{ PK: batch.PK, SK: batch.SK }] } },
    'count-ends': { type: 'jobs.ended', detail: { ends: [{ ...end, waited: 60, ran: 5760 }] } },
    'queue-deliveries': { type: event.type, detail: presentEvent(event) },
  };
}

/** Writes an event as the bus sends it. */
export function writeBusEvent(
  source: string,
  type: string,
  detail: object,
  at: Date,
): ExampleEvent {
  return {
    version: '0',
    id: '7bf73129-1428-4cd3-a780-95db273d1602',
    source,
    'detail-type': type,
    time: `${at.toISOString().slice(0, 19)}Z`,
    region: 'eu-central-1',
    account: '000000000000',
    resources: [],
    detail: JSON.parse(JSON.stringify(detail)),
  };
}

/** A record of the table's stream: of a new item. */
function writeInsert(item: { readonly PK: string; readonly SK: string }, at: Date) {
  const image = (attributes: object) =>
    JSON.parse(JSON.stringify(marshall(attributes, { removeUndefinedValues: true })));
  return {
    eventID: '4b25bd0da9a181a155114127e4837252',
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: {
      ApproximateCreationDateTime: at.getTime() / 1000,
      Keys: image({ PK: item.PK, SK: item.SK }),
      NewImage: image(item),
      SequenceNumber: '222000000000000000001',
      SizeBytes: 900,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    eventSourceARN: 'arn:aws:dynamodb:eu-central-1:000000000000:table/slipway/stream/x',
  };
}
