import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const hasJq = spawnSync('jq', ['--version']).status === 0;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-redrive-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Cloud {
  /** The messages of the queue, from first to last. */
  readonly messages: readonly object[];
  /** What the function answers to each. */
  readonly answer?: object;
  /** The changes that the stream still has. */
  readonly records?: readonly object[] | undefined;
}

/** Sends the messages again, to a cloud of files: its `aws` notes what it is asked. */
function resend({ messages, answer = {}, records }: Cloud) {
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  write('count', '0');
  messages.forEach((body, index) => {
    const Messages = [{ Body: JSON.stringify(body), ReceiptHandle: `handle-${index}` }];
    write(`message-${index}`, { Messages });
  });
  write('answer', answer);
  if (records) write('records', { Records: records });
  write(
    'aws',
    `#!/bin/bash
cd '${folder}'
case "$1 $2" in
  'sqs receive-message') cat "message-$(cat count)" 2> /dev/null || true ;;
  'sqs delete-message') echo "\${@: -1}" >> deleted; echo $(($(cat count) + 1)) > count ;;
  'dynamodbstreams get-shard-iterator') [ -e records ] && echo ITERATOR ;;
  'dynamodbstreams get-records') cat records ;;
  'lambda invoke') jq -c . '${folder}/event.json' >> events; cp answer answer.json; echo None ;;
  *) exit 9 ;;
esac
`,
  );
  chmodSync(join(folder, 'aws'), 0o755);
  const script = `. '${resolve('docs/runbook.sh')}'; resend QUEUE FUNCTION`;
  const { status, stderr } = spawnSync('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return {
    status,
    stderr,
    events: linesOf('events').map((line) => JSON.parse(line)),
    deleted: linesOf('deleted'),
  };
}

function linesOf(name: string): string[] {
  try {
    return readFileSync(join(folder, name), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

const change = (number: string) => ({
  eventID: number,
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: number,
    ApproximateCreationDateTime: '2026-11-18T10:00:00+00:00',
    NewImage: { PK: { S: 'USER#1' } },
  },
});

const aboutChanges = (startSequenceNumber: string, endSequenceNumber: string) => ({
  DDBStreamBatchInfo: {
    streamArn: 'arn',
    shardId: 'shard',
    startSequenceNumber,
    endSequenceNumber,
  },
});

it('is a script that bash reads', () => {
  expect(() => execFileSync('bash', ['-n', 'docs/runbook.sh'])).not.toThrow();
});

describe.runIf(hasJq)('sending again what was put aside', () => {
  it('calls the function with each event, as the bus or Lambda put it there, and empties the queue', () => {
    const told = resend({ messages: [{ id: 1 }, { requestPayload: { id: 2 } }] });
    expect(told).toMatchObject({ status: 0, events: [{ id: 1 }, { id: 2 }] });
    expect(told.deleted).toEqual(['handle-0', 'handle-1']);
  });

  it('reads the changes that a message of the stream is about, and no others', () => {
    // Longer numbers are larger, and all have more digits than a number of jq.
    const numbers = ['99999999999999999999', '100000000000000000001', '100000000000000000002'];
    const told = resend({
      messages: [aboutChanges('99999999999999999999', '100000000000000000001')],
      records: numbers.map(change),
      answer: { batchItemFailures: [] },
    });
    expect(told).toMatchObject({ status: 0, deleted: ['handle-0'] });
    const [{ Records }] = told.events as [{ Records: ReturnType<typeof change>[] }];
    expect(Records.map(({ dynamodb }) => dynamodb.SequenceNumber)).toEqual(numbers.slice(0, 2));
    expect(Records[0]).toMatchObject({
      eventSource: 'aws:dynamodb',
      dynamodb: { ApproximateCreationDateTime: Date.UTC(2026, 10, 18, 10) / 1000 },
    });
  });

  it('keeps a message whose changes fail again', () => {
    const told = resend({
      messages: [aboutChanges('1', '2')],
      records: [change('1')],
      answer: { batchItemFailures: [{ itemIdentifier: '1' }] },
    });
    expect(told).toMatchObject({ status: 1, deleted: [] });
    expect(told.events).toHaveLength(1);
  });

  it('says so if the stream has dropped the changes', () => {
    const told = resend({ messages: [aboutChanges('1', '2')] });
    expect(told).toMatchObject({ status: 1, deleted: [], events: [] });
    expect(told.stderr).toContain('The stream has dropped the changes from 1 to 2 of shard.');
  });
});
