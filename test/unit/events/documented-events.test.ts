import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectEvents } from '#lib/events/detect-events.ts';
import { eventTypes } from '#lib/events/event.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { maintenanceToItem, noMaintenance } from '#lib/systems/maintenance.ts';
import { batchItem } from '#test/fixtures/batches.ts';
import { findProblems, listProperties, type Schemas } from '#test/fixtures/json-schema.ts';
import { budgetItem, leftAct, loginItem } from '#test/fixtures/memberships.ts';
import { systemName } from '#test/fixtures/names.ts';
import { renewingItem } from '#test/fixtures/renewals.ts';
import { requestItem } from '#test/fixtures/requests.ts';
import {
  hpcOne,
  hpcTwo,
  jobItem,
  openedProject,
  projectItem,
  quotaItem,
} from '#test/fixtures/samples.ts';
import { streamRecord } from '#test/fixtures/stream-records.ts';
import { toldEvents, writeEventExamples } from '#tools/events/told-events.ts';
import { readBetween } from '#tools/put-between.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/events.md'), 'utf8');

const [, written = ''] = /^```json schema\n(.*?)^```/ms.exec(text) ?? [];
const { oneOf, $defs, ...envelope } = JSON.parse(written);
const schemas: Schemas = new Map(
  Object.entries($defs).map(([name, schema]) => [`#/$defs/${name}`, Object(schema)]),
);
const formOf = (type: string) => Object(oneOf.find((form: Form) => typesOf(form).includes(type)));

interface Form {
  readonly properties: {
    readonly type: { readonly const: string } | { readonly enum: readonly string[] };
    readonly data: object;
  };
}

function typesOf({ properties: { type } }: Form): readonly string[] {
  return 'enum' in type ? type.enum : [type.const];
}

/** By the part that all types share, and by that of its own type. */
const problemsOf = (event: { readonly type: string }) =>
  [envelope, formOf(event.type)].flatMap((schema) => findProblems(schemas, schema, event));

const examples = toldEvents.map((event) => JSON.parse(JSON.stringify(event)));

const expiring = { ...quotaItem(hpcOne), valid_until: '2019-02-17T00:00:00.000Z' };

const renewing = renewingItem('2019-03-01T00:00:00.000Z', {
  carry_over: { seconds: 0, kilobytes: 0 },
});

const someCounts = { running: 1, done: 1, failed: 0, cancelled: 0 };

const maintenanceItem = (reason: string) =>
  maintenanceToItem({
    ...noMaintenance(systemName('hpc_one')),
    windows: [
      {
        name: '2026-12-01',
        source: 'administrator',
        from: new Date('2026-12-01T08:00:00Z'),
        reason,
        drains: true,
      },
    ],
  });

/** Real events of each type, as they are sent. */
const produced = [
  [undefined, jobItem(hpcOne)],
  [undefined, jobItem(hpcTwo)],
  [jobItem(hpcOne), jobItem(hpcOne, { ended: true })],
  [jobItem(hpcTwo), jobItem(hpcTwo, { ended: true })],
  [batchItem(), batchItem({ told: { at: '2026-11-16T08:31:00.000Z', ...someCounts } })],
  [batchItem(), batchItem({ done: 3, last_end: '2026-11-16T08:40:00.000Z' })],
  [quotaItem(hpcOne), quotaItem(hpcOne, { timeLeft: 0, spaceLeft: 1 })],
  [expiring, { ...expiring, expiry_warned: 'week' }],
  [renewing, { ...renewing, renewal_announced: renewing.renews_next }],
  [renewing, { ...renewing, renewed_at: renewing.renews_next }],
  [undefined, requestItem()],
  [requestItem(), requestItem('approved')],
  [requestItem(), requestItem('declined')],
  [undefined, projectItem(openedProject)],
  [projectItem(openedProject), projectItem(openedProject, { closed: true })],
  [undefined, quotaItem(hpcOne)],
  [undefined, leftAct],
  [undefined, budgetItem],
  [undefined, loginItem],
  [loginItem, { ...loginItem, login: 'grace' }],
  [undefined, maintenanceItem('a')],
  [maintenanceItem('a'), maintenanceItem('b')],
  [maintenanceItem('a'), maintenanceToItem(noMaintenance(systemName('hpc_one')))],
].flatMap(([oldItem, newItem]) =>
  detectEvents(streamRecord(oldItem, newItem)).map((event) =>
    JSON.parse(JSON.stringify(presentEvent(event))),
  ),
);

describe('docs/events.md', () => {
  it('shows the events of the story', () => {
    expect(readBetween(text, 'npm run describe')).toBe(writeEventExamples());
  });

  it('has a schema and an example of every type, and no others', () => {
    expect(examples.map(({ type }) => type)).toEqual(eventTypes);
    expect(oneOf.flatMap(typesOf)).toEqual(eventTypes);
    for (const type of eventTypes) expect(text).toMatch(new RegExp(`^\\|.*\`${type}\`.*\\|`, 'm'));
  });

  it.each(examples)('shows a $type that fits its schema', (example) => {
    expect(problemsOf(example)).toEqual([]);
  });
});

describe('events as they are sent', () => {
  it('are covered for every type', () => {
    expect(new Set(produced.map(({ type }) => type))).toEqual(new Set(eventTypes));
  });

  it.each(produced)('fit the schema of $type', (event) => {
    expect(problemsOf(event)).toEqual([]);
  });

  it.each(produced)('have no field that the schema of $type does not name', (event) => {
    const { properties } = formOf(event.type);
    const names = new Set(Object.keys({ ...envelope.properties, ...properties }));
    expect(Object.keys(event).filter((name) => !names.has(name))).toEqual([]);
    const dataNames = new Set(listProperties(schemas, properties.data));
    expect(Object.keys(event.data).filter((name) => !dataNames.has(name))).toEqual([]);
    const example = examples.find(({ type }) => type === event.type);
    expect(Object.keys(event.data).sort()).toEqual(Object.keys(example.data).sort());
  });
});

describe('a schema', () => {
  const ended = () => structuredClone(examples.find(({ type }) => type === 'job.ended'));

  it.each([
    { change: { at: 'yesterday' }, problem: '/at: no date-time' },
    { change: { owner: 'ada' }, problem: '/owner: not like ^[0-9]+$' },
    { change: { id: undefined }, problem: '/id: missing' },
    { change: { data: null }, problem: '/data: not object' },
  ])('refuses an event with $change', ({ change, problem }) => {
    const event = JSON.parse(JSON.stringify({ ...ended(), ...change }));
    expect(problemsOf(event)).toContain(problem);
  });

  it.each([
    { change: { terminal_stage: false }, problem: '/data/terminal_stage: not true' },
    { change: { end_date: null }, problem: '/data/end_date: not string' },
    { change: { id: 1.5 }, problem: '/data/id: not integer' },
    { change: { runtime: 0 }, problem: '/data/runtime: not above 0' },
  ])('refuses a job with $change', ({ change, problem }) => {
    const event = ended();
    expect(problemsOf({ ...event, data: { ...event.data, ...change } })).toEqual([problem]);
  });
});
