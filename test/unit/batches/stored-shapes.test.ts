import { expect, it } from 'vitest';
import {
  batchFromItem,
  endedBatchToItem,
  newBatchToItem,
  orderFromItem,
  orderToItem,
} from '#lib/batches/batch.ts';
import { batchKey, batchOrderKey } from '#lib/table/keys.ts';
import { batchSample } from '#test/fixtures/batches.ts';

const { id, owner } = batchSample;
const at = '2026-11-16T09:00:00.000Z';
const counts = { running: 1, done: 2, failed: 3, cancelled: 4 };

/** Every later version must read what the table holds, so a change needs a new schema_version. */
const item = {
  ...batchKey(owner, id),
  type: 'batch',
  schema_version: 1,
  batch_id: id,
  owner,
  project: batchSample.project.number,
  hpc: batchSample.project.hpc,
  project_name: batchSample.project.name,
  title: 'alpha {alpha}',
  runtime: 0.5,
  count: 3,
  first_id: 80,
  job_seconds: 1800,
  init_date: '2026-11-16T08:30:00.000Z',
  unfolded: 0,
  next_release: 0,
  released: 0,
  running: 0,
  done: 0,
  failed: 0,
  cancelled: 0,
  held_seconds: 5400,
  held_kilobytes: 12,
  used_seconds: 0,
  input_users: 1,
};

it('a batch is stored in this shape', () => {
  const whole = {
    ...item,
    ...counts,
    job_cost: 5,
    drawn: true,
    max_running: 6,
    dropped: 7,
    ended_parked: 8,
    last_end: at,
    discard: 'cancel',
    cancel_pending: true,
    limited: true,
    doubted: true,
    told: { at, ...counts },
    origin: id,
    input_left: true,
  };
  const batch = {
    ...batchSample,
    counts,
    jobCost: 5,
    drawn: true as const,
    maxRunning: 6,
    dropped: 7,
    endedParked: 8,
    lastEnd: new Date(at),
    discard: 'cancel' as const,
    cancelPending: true,
    limited: true,
    doubted: true,
    told: { at: new Date(at), ...counts },
    origin: id,
    inputLeft: true,
  };
  expect(endedBatchToItem(batch)).toEqual(whole);
  expect(batchFromItem(whole)).toEqual(batch);
  expect(batchFromItem({ ...item, discard: 'delete' })).toEqual({
    ...batchSample,
    discard: 'delete',
  });
  const due = { due: 'DUE#BATCHES#0', due_at: item.init_date };
  expect(newBatchToItem(batchSample)).toEqual({ ...item, ...due });
  expect(batchFromItem({ ...item, ...due }).dueAt).toEqual(batchSample.submittedAt);
});

it('what its jobs are asked to run is stored in this shape', () => {
  const stored = {
    ...batchOrderKey(owner, id),
    type: 'batch-order',
    schema_version: 1,
    program: 'run {alpha}',
    nodes: 1,
    cores_per_node: 2,
    extras: { name: 'a' },
    login: 'ada',
    input_file: 'input.zip',
    input_bytes: 12,
    input_sha256: 'ab',
    input_key: 'a/key',
    table: 'params.csv',
    has_rows: true,
  };
  const order = {
    program: 'run {alpha}',
    nodes: 1,
    coresPerNode: 2,
    extras: { name: 'a' },
    login: 'ada',
    input: { fileName: 'input.zip', bytes: 12, sha256: 'ab', key: 'a/key' },
    table: 'params.csv',
    hasRows: true,
  };
  expect(orderToItem(batchSample, order)).toEqual(stored);
  expect(orderFromItem(stored)).toEqual(order);
});
