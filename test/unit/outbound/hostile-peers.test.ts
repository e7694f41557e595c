import { request as requestHttp } from 'node:http';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  EventsNotPublishedError,
  openBus,
  publishEvents,
  writeEvent,
} from '#lib/events/publish-events.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { retryPolicy } from '#lib/files/storage/call-storage.ts';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { openSecrets } from '#lib/hpc/credentials.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { createNsgConnector } from '#lib/hpc/nsg/nsg-connector.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import { createTokenVerifier } from '#lib/http/chain/authenticate.ts';
import { createKeyFetcher } from '#lib/http/chain/key-fetcher.ts';
import { IdentityProviderUnavailableError } from '#lib/http/errors.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { openTable } from '#lib/table/table.ts';
import { openSender } from '#lib/webhooks/send-push.ts';
import { createIssuer } from '#local/issuer.ts';
import { audience, issuer as issuerName } from '#local/names.ts';
import {
  allBehaviours,
  type Behaviour,
  type HostilePeer,
  startHostilePeer,
} from '#test/fixtures/hostile-peer.ts';
import { makeKey } from '#test/fixtures/jwt.ts';
import { systemName, userId } from '#test/fixtures/names.ts';

/** One try. With all retries and pauses, a call takes about four times as long. */
const shortMs = 200;

/** Where there is an answer to be had in time, a busy machine must not decide that there is none. */
const ampleMs = 3_000;

/** Only what hangs takes as long as this, however busy the machine is. */
const longestMs = 120_000;

/** On a busy machine the time of an attempt may end before it is connected: that is no meeting. */
const maxApproaches = 20;

interface Caller {
  readonly name: string;
  /** One attempt of it may take so long. */
  call(url: string, ms: number): Promise<unknown>;
  /** What it fails with. */
  readonly error: new (
    ...parameters: never[]
  ) => Error;
  /** Where what it gets is enough for it, and the answer. */
  readonly answers?: Partial<Record<Behaviour, unknown>>;
  /** Node's fetch lets go of a connection that does not come about after ten seconds only. */
  readonly fetches?: boolean;
}

const event = {
  id: 'e-1',
  type: 'job.ended',
  owner: userId('1'),
  at: new Date(),
  data: {},
} as const;

const settings = {
  ISSUER: issuerName,
  AUDIENCE: audience,
  USER_CLAIM: 'sub',
  USER_IDS: 'numeric' as const,
  ADMIN_CLAIMS: 'groups',
  ADMIN_VALUE: 'admin',
};
const token = createIssuer(makeKey()).issueToken({ user: '1' });

const storage = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};

/** A sender does not throw, and is made to here. */
class PushFailed extends Error {}

const callers: readonly Caller[] = [
  {
    name: 'the table',
    call: async (endpoint, attemptMs) => {
      const { client, name } = openTable('slipway', { endpoint, attemptMs });
      const { Item } = await client.send(
        new GetCommand({ TableName: name, Key: { PK: 'A', SK: 'b' } }),
      );
      return Item;
    },
    error: TableUnavailableError,
    answers: { 'bytes too many': undefined },
  },
  {
    name: 'the bus',
    call: (endpoint, attemptMs) => {
      const bus = openBus('slipway', { endpoint, attemptMs });
      return publishEvents(bus, [writeEvent(bus, event)]);
    },
    // A whole answer that names no event has taken none.
    error: EventsNotPublishedError,
  },
  {
    name: 'secrets',
    call: (endpoint, attemptMs) =>
      openSecrets({ hpc_one: 'a' }, { endpoint, attemptMs })(systemName('hpc_one')).read(),
    error: Error,
  },
  {
    name: 'the key set',
    call: (url, attemptMs) => {
      const send = url.startsWith('https:') ? {} : { send: requestHttp };
      const fetcher = createKeyFetcher({ attemptMs, ...send });
      return createTokenVerifier({ ...settings, JWKS_URI: url }, fetcher)(token);
    },
    error: IdentityProviderUnavailableError,
  },
  {
    name: 'the storage',
    fetches: true,
    call: async (url, answerMs) => {
      const policy = { ...retryPolicy, answerMs };
      const store = openObjectStore('a', { ...storage, AWS_ENDPOINT_URL_S3: url }, policy);
      return Buffer.from(await store.read('b')).toString();
    },
    error: StorageUnavailableError,
    answers: { 'bytes too many': '{}' },
  },
  {
    name: 'Slurm',
    fetches: true,
    call: (url, ms) =>
      createSlurmConnector({
        baseUrl: url,
        credentials: keep({ user: 'a', token: 'b' }),
        partition: 'p',
        workDirectory: '/scratch',
        timeoutSeconds: ms / 1000,
      }).checkHealth(),
    error: SystemUnavailableError,
  },
  {
    name: 'UNICORE',
    fetches: true,
    call: (url, ms) => {
      const options = { credentials: keep({ token: 'a' }), timeoutSeconds: ms / 1000 };
      return createUnicoreConnector({ baseUrl: url, ...options }).checkHealth();
    },
    error: SystemUnavailableError,
    answers: { 'bytes too many': undefined },
  },
  {
    name: 'NSG',
    fetches: true,
    call: (url, ms) =>
      createNsgConnector({
        baseUrl: url,
        credentials: keep({ username: 'a', password: 'b', appkey: 'c' }),
        endUsers: { emailDomain: 'a.example', institution: 'A', country: 'DE' },
        timeoutSeconds: ms / 1000,
      }).checkHealth(),
    error: SystemUnavailableError,
  },
  {
    name: 'a receiver of webhooks',
    call: async (url, ms) => {
      const send = openSender({ rules: { toLoopback: true }, timeoutSeconds: ms / 1000 });
      const { status, reason } = await send({ url, headers: {}, body: '{}' });
      if (status === undefined) throw new PushFailed(reason);
      return status;
    },
    error: PushFailed,
    // The status is the answer, whatever becomes of the rest.
    answers: {
      drip: 200,
      'switched protocols': 101,
      'endless body': 200,
      'missing bytes': 200,
      'bytes too many': 200,
    },
  },
];

function keep(credentials: Readonly<Record<string, string>>) {
  return { read: async () => credentials, forget: () => undefined };
}

type Outcome = { readonly answer: unknown } | { readonly error: unknown } | 'still waiting';

async function observe(
  { call, answers = {} }: Caller,
  behaviour: Behaviour,
  { url }: HostilePeer,
): Promise<Outcome> {
  const settled = call(url, behaviour in answers ? ampleMs : shortMs).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  const { promise: late, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(() => resolve('still waiting'), longestMs);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

interface Meeting {
  readonly peer: HostilePeer;
  readonly outcome: Outcome;
}

/** All at once: nearly all that they do is wait. */
const meetings = new Map<string, Meeting>();

beforeAll(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const) {
    vi.stubEnv(name, storage[name]);
  }
  await Promise.all(
    callers.flatMap((caller) =>
      allBehaviours.map(async (behaviour) => {
        const peer = await startHostilePeer(behaviour);
        let outcome = await observe(caller, behaviour, peer);
        for (let count = 1; peer.calls === 0 && count < maxApproaches; count += 1) {
          outcome = await observe(caller, behaviour, peer);
        }
        meetings.set(`${caller.name} ${behaviour}`, { peer, outcome });
      }),
    ),
  );
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([...meetings.values()].map(({ peer }) => peer.close()));
});

describe.each(callers)('$name', ({ name, error, answers = {}, fetches = false }) => {
  it.each(allBehaviours)('comes to an end with a peer of: %s', async (behaviour) => {
    const meeting = meetings.get(`${name} ${behaviour}`);
    expect(meeting?.outcome).toEqual(
      behaviour in answers ? { answer: answers[behaviour] } : { error: expect.any(error) },
    );
    expect(meeting?.peer.calls).toBeGreaterThan(0);
    if (fetches && behaviour === 'unfinished TLS') return;
    await expect.poll(() => meeting?.peer.open, { interval: 10 }).toBe(0);
  });
});
