import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createPasses, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { describeTable } from '#local/create-table.ts';
import { runOperation } from '#local/dynamodb/dispatch/run-operation.ts';
import { answerInProcess } from '#local/dynamodb/documents/answer-in-process.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import { buildEvent, withBody } from '#local/gateway/build-event.ts';
import { matchKey, type Slashes } from '#local/gateway/start-gateway.ts';
import { loadHandlers } from '#local/load-handlers.ts';
import { lambdaContext } from '../../fixtures/api-event.ts';
import { findUndeclared } from '../../fixtures/declared-answers.ts';
import { jobId, projectName, systemName } from '../../fixtures/names.ts';
import { hpcOne, hpcTwo } from '../../fixtures/samples.ts';
import { sentCommands, type TableMock, tableName } from '../../fixtures/table-mock.ts';
import { emptyZip } from '../../fixtures/zip.ts';
import { issuer } from '../../setup/function-environment.ts';
import { callers, identify } from './callers.ts';

export interface Asked {
  readonly method: string;
  /** As on the wire. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

export interface Answered {
  /** The status, and the name of the problem if there is one: `404 job-not-found`. */
  readonly outcome: string;
  readonly body: string;
  /** What of the answer its route does not declare. */
  readonly undeclared: readonly string[];
  /** The keys of the items that it wrote. */
  readonly written: readonly string[];
  /** Every command that it sent to the table. */
  readonly commands: readonly [string, unknown][];
}

export interface MatrixWorld {
  /** What the names in paths stand for. */
  readonly values: Readonly<Record<string, string>>;
  passFor(purpose: PassPurpose): string;
  mailPassFor(purpose: 'confirm' | 'unsubscribe'): string;
  /** Asks as a gateway would lead to a function, and puts the table back afterwards. */
  ask(asked: Asked, slashes?: Slashes): Promise<Answered>;
  close(): Promise<void>;
}

const own = `${hpcOne.hpc}/${hpcOne.project}`;

/** Opens a table in which every kind of caller is in its state, and owns what paths name. */
export async function openMatrixWorld(mock: TableMock): Promise<MatrixWorld> {
  const engine = openEngine();
  runOperation(engine, 'CreateTable', describeTable(tableName));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  answerInProcess(engine)(client);
  const written: string[] = [];
  mock.send.callsFake(async (command) => {
    const answer = await client.send(command);
    written.push(...listWritten(command));
    return answer;
  });
  const handlers = await loadHandlers();
  const keys = [...handlers.keys()];
  const socket = new Socket();

  async function call({ method, url, headers = {}, body }: Asked, slashes: Slashes = 'exact') {
    const request = Object.assign(new IncomingMessage(socket), {
      method,
      url,
      httpVersion: '1.1',
      headersDistinct: Object.fromEntries(
        Object.entries({ host: 'slipway.test', ...headers }).map(([name, value]) => [
          name.toLowerCase(),
          [value],
        ]),
      ),
    });
    const address = new URL('https://slipway.test');
    const event = withBody(buildEvent(request, '', [address]), [Buffer.from(body ?? '')]);
    const handler = handlers.get(matchKey(keys, method, event.rawPath, slashes));
    if (!handler) throw new Error(`Nothing answers ${method} ${url}.`);
    const response = await handler(event, { ...lambdaContext });
    return { response, path: event.rawPath };
  }

  const identities = identify(issuer);
  async function prepare(
    caller: keyof typeof callers,
    asked: Asked,
  ): Promise<Record<string, unknown>> {
    const json = asked.body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...identities[caller], ...json, ...asked.headers };
    const { response } = await call({ ...asked, headers });
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${asked.url}: ${response.body}`);
    return Object(JSON.parse(response.body ?? '{}'));
  }
  const put = (url: string, body: object) =>
    prepare('administrator', { method: 'PUT', url, body: JSON.stringify(body) });
  const reason = 'for the matrix';
  const payload = JSON.stringify(hpcOne.payload);
  const submission = { payload, 'content-disposition': 'attachment; filename=in.zip' };
  const batchPayload = JSON.stringify({ ...hpcOne.payload, count: '2' });

  for (const [name, user] of Object.entries(callers)) {
    if (user === undefined || name === 'foreign') continue;
    await put(`/admin/quotas/${user}/${own}/`, { reason, add: { time: 1 } });
  }
  await put(`/admin/projects/${own}/leaders/`, { reason, leaders: [callers.leader] });
  const otherProject = `${hpcTwo.hpc}/${hpcTwo.project}`;
  await put(`/admin/projects/${otherProject}/leaders/`, { reason, leaders: [callers.otherLeader] });
  await put(`/admin/users/${callers.banned}/ban/`, { reason });
  await put(`/admin/projects/${hpcOne.hpc}/proj_spring/`, { reason });
  await put(`/admin/projects/${own}/budget/`, { reason, set: { time: 1e9, space: 1e9 } });
  const maintenance = { reason, from: '2099-12-01T08:00:00Z', until: '2099-12-01T16:00:00Z' };
  await put(`/admin/systems/${hpcOne.hpc}/maintenance/2099-12-01/`, maintenance);
  await put(`/admin/systems/${hpcOne.hpc}/pause/`, { reason });
  const job = await prepare('user', {
    method: 'POST',
    url: `/jobs/${own}/`,
    headers: { ...submission, 'content-type': 'application/zip' },
    body: emptyZip.toString(),
  });
  const batch = await prepare('user', {
    method: 'POST',
    url: `/batches/${own}/`,
    headers: { ...submission, payload: batchPayload },
  });
  const wish = { hpc: hpcOne.hpc, project_name: hpcOne.project, time: 10, reason };
  const request = await prepare('user', {
    method: 'POST',
    url: '/requests/',
    body: JSON.stringify(wish),
  });
  const upload = await prepare('user', {
    method: 'POST',
    url: '/uploads/',
    body: JSON.stringify({ filename: 'in.zip', length: 5 }),
  });
  const webhook = await prepare('user', {
    method: 'POST',
    url: '/webhooks/',
    body: JSON.stringify({ url: 'https://hooks.example/a' }),
  });
  const delivery = await prepare('user', {
    method: 'POST',
    url: `/webhooks/${webhook.webhook_id}/test/`,
  });
  await client.send(
    new UpdateCommand({
      TableName: tableName,
      Key: { PK: `USER#${callers.expired}`, SK: `QUOTA#${hpcOne.hpc}#${hpcOne.project}` },
      UpdateExpression: 'SET valid_until = :past',
      ExpressionAttributeValues: { ':past': '2020-01-01T00:00:00.000Z' },
    }),
  );

  const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName }));
  const before = new Map(Items.map((item) => [`${item.PK} ${item.SK}`, item]));

  /** A cell must not depend on the cells before it. */
  async function putBack(): Promise<void> {
    for (const key of new Set(written)) {
      const [PK = '', ...rest] = key.split(' ');
      const Item = before.get(key);
      const SK = rest.join(' ');
      if (Item) await client.send(new PutCommand({ TableName: tableName, Item }));
      else await client.send(new DeleteCommand({ TableName: tableName, Key: { PK, SK } }));
    }
    written.length = 0;
  }
  await putBack();

  const endsAt = new Date(Date.now() + 3_600_000);
  const values = {
    hpc: hpcOne.hpc,
    project_name: hpcOne.project,
    any_project_name: 'proj_spring',
    user_id: callers.user,
    job_id: String(job.job_id),
    batch_id: String(batch.batch_id),
    request_id: String(request.request_id),
    upload_id: String(upload.upload_id),
    webhook_id: String(webhook.webhook_id),
    delivery_id: String(delivery.delivery_id),
    file_id: 'stdout',
    window_name: '2099-12-01',
  };
  return {
    values,
    passFor: (purpose) =>
      createPasses(process.env.PASS_SECRET ?? '').write({
        purpose,
        jobId: jobId(values.job_id),
        account: {
          user: callers.user,
          hpc: systemName(hpcOne.hpc),
          project: projectName(hpcOne.project),
        },
        endsAt,
      }),
    mailPassFor: (purpose) =>
      createMailPasses(process.env.PASS_SECRET ?? '').write(
        purpose,
        { user: callers.user, email: 'ada@example.org' },
        endsAt,
      ),
    async ask(asked, slashes) {
      mock.resetHistory();
      const { response, path } = await call(asked, slashes);
      const commands = sentCommands(mock);
      const { statusCode = 0, body = '' } = response;
      const type = statusCode >= 400 && body.startsWith('{') ? JSON.parse(body).type : '';
      const wrote = written.filter((key) => !key.startsWith('CALLS#'));
      if (written.length > 0) await putBack();
      return {
        outcome: `${statusCode} ${String(type).replace('urn:slipway:problem:', '')}`.trim(),
        body,
        undeclared: findUndeclared(asked.method, path, response),
        written: wrote,
        commands,
      };
    },
    async close() {
      socket.destroy();
      client.destroy();
      engine.database.close();
    },
  };
}

function listWritten(command: object): string[] {
  const name = command.constructor.name;
  const input = Object(Reflect.get(command, 'input'));
  if (/^(Put|Update|Delete)Command$/.test(name)) return [describeKey(input)];
  if (name !== 'TransactWriteCommand') return [];
  const steps: readonly Record<string, object>[] = input.TransactItems ?? [];
  return steps.flatMap(({ ConditionCheck: _, ...writes }) =>
    Object.values(writes).map(describeKey),
  );
}

function describeKey(write: object): string {
  const { Key, Item } = Object(write);
  const { PK, SK } = Key ?? Item;
  return `${PK} ${SK}`;
}
