import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { type Deployed, findDeployed } from '../infra/policies/deployed.ts';
import { region } from '../infra/policies/fill-in.ts';
import { synthesize } from '../infra/synthesize.ts';
import type { DeployedFunction } from '../lambda/deployed/deployed-function.ts';
import { exampleEvent } from '../lambda/deployed/example-event.ts';
import { findDue, listItems, makeDue } from '../lambda/deployed/items.ts';
import { noteIds } from '../lambda/deployed/note-ids.ts';
import { longestSeconds } from '../lambda/deployed/open-scene.ts';
import { openSurroundings, type Surroundings } from '../lambda/deployed/surroundings.ts';
import { openFunction, type Report } from '../lambda/platform/open-function.ts';
import { story, tell } from '../lambda/story.ts';
import { administrator, createBucket, createBus } from './party/administrator.ts';
import { type Credentials, openRole } from './party/open-roles.ts';

const endpoint = inject('fakecloud') ?? '';
const { runtime, functions, context } = inject('lambda') ?? {
  runtime: '',
  functions: [],
  context: {},
};

/** As long as it takes on this machine: what counts is what is allowed. */
const time = { seconds: longestSeconds };

describe.skipIf(endpoint === '' || runtime === '')('with its own role alone', () => {
  const templates = synthesize(context);
  const deployed: Deployed = findDeployed(templates);
  const roles = new Map<string, Credentials>();
  const reports = new Map<string, Report>();
  let surroundings: Surroundings;
  let table: Table;

  beforeAll(async () => {
    surroundings = await openSurroundings();
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: administrator.secretAccessKey,
    });
    await createTable(deployed.table, endpoint);
    await createBucket(endpoint, deployed.inputs);
    await createBucket(endpoint, deployed.results);
    await createBus(endpoint, busOf(deployed));
    table = openTable(deployed.table, { endpoint, region, credentials: administrator });
    for (const { name } of functions) {
      roles.set(name, await openRole(endpoint, templates, name));
    }
    const made = noteIds();
    for (const chapter of story) {
      const { name, about = 'first', takesUp } = chapter;
      if (takesUp !== undefined) await makeDue(table, takesUp);
      const call = async (which: 'first' | 'second') => {
        const told = { names: made.about(about), due: await findDue(table) };
        return invoke(name, name, tell(chapter, told, which));
      };
      const [report, again] = [await call('first'), await call('second')];
      for (const each of [report, again]) made.note(Object(each).answer);
      reports.set(name, report);
    }
  });
  afterAll(async () => {
    table?.client.destroy();
    await surroundings?.close();
  });

  /** Calls a function that has the role of this one or of another. */
  async function invoke(name: string, role: string, event: unknown): Promise<Report> {
    const found = functions.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
    const lambda = openFunction(runtime, found, environmentOf(found, role));
    const report = await lambda.invoke(event, time);
    await lambda.close();
    return report;
  }

  function environmentOf(found: DeployedFunction, role: string): Record<string, string> {
    const { accessKeyId, secretAccessKey, sessionToken } =
      roles.get(role) ?? expect.fail(`no role of ${role}`);
    return {
      ...surroundings.environmentOf(found, endpoint),
      TABLE_NAME: deployed.table,
      INPUTS_BUCKET: deployed.inputs,
      RESULTS_BUCKET: deployed.results,
      EVENT_BUS_NAME: busOf(deployed),
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    };
  }

  it.each(story)('$name gives its real answer', ({ name, answers }) => {
    const { answer } = Object(reports.get(name));
    expect(typeof answers === 'number' ? answer?.statusCode : answer).toEqual(answers);
  });

  it.each(['read-jobs', 'withdraw-request', 'measure-queue'])(
    'nobody can submit with the role of %s, and nothing is left of it',
    async (role) => {
      const before = await listItems(table);
      const event = exampleEvent('submit-job', { names: { user_id: '200' } });
      expect(await invoke('submit-job', role, event)).toMatchObject({
        answer: { statusCode: 500 },
      });
      expect(await listItems(table)).toEqual(before);
    },
  );
});

function busOf({ busArn }: Deployed): string {
  return busArn.split('/').at(-1) ?? '';
}
