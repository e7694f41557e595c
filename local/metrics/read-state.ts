import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { catalog } from '#lib/catalog/catalog.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { checksOf, type DueQueue, handOversOf, listShards } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import type { TallyGroup } from '../dynamodb/store/keep-tally.ts';
import { fileNames } from '../dynamodb/store/open-database.ts';
import type { TableFigures } from '../dynamodb/table-figures.ts';
import type { Sample } from './metrics.ts';

/** Where the state of a service is found. */
export interface StateSources {
  readonly table: Table;
  /** Undefined before another DynamoDB. */
  readonly embedded: TableFigures | undefined;
  /** The data folder, if the data is on a disk. */
  readonly folder: string | undefined;
}

const parts = ['left', 'held', 'used'] as const;

/**
 * Opens a reader of what the service holds, for whoever watches it. It asks no HPC system, and takes
 * the same time however many jobs there are. What cannot be read is left out.
 */
export function openState({ table, embedded, folder }: StateSources): () => Promise<Sample[]> {
  const readers = [
    () => readSystems(table),
    ...(embedded ? readEmbedded(embedded, table.name) : []),
    ...(folder === undefined ? [] : [() => readDisk(folder)]),
  ];
  return async () => {
    const found = await Promise.allSettled(readers.map(async (read) => read()));
    return [
      { name: 'slipway_build_info', labels: { version: runningVersion }, value: 1 },
      ...found.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])),
    ];
  };
}

function readEmbedded(
  embedded: TableFigures,
  table: string,
): (() => Sample[] | Promise<Sample[]>)[] {
  const { readReplica } = embedded;
  const tally = embedded.keepTally(table, {
    types: ['job', 'quota', 'budget'],
    by: ['hpc', 'project_name', 'stage'],
    sums: parts.flatMap((part) => [`time_${part}`, `space_${part}`]),
  });
  return [
    () => tally.read()?.flatMap(showGroup) ?? [],
    () => listQueues().flatMap((queue) => showQueue(embedded, table, queue)),
    () => showBacklog(embedded),
    () => [{ name: 'slipway_table_writable', value: embedded.canWrite() ? 1 : 0 }],
    ...(readReplica ? [() => showReplica(readReplica)] : []),
  ];
}

async function showReplica(
  readReplica: NonNullable<TableFigures['readReplica']>,
): Promise<Sample[]> {
  const { ageSeconds, bytes } = await readReplica();
  return [
    { name: 'slipway_replica_age_seconds', value: ageSeconds },
    ...(bytes === undefined ? [] : [{ name: 'slipway_replica_bytes', value: bytes } as const]),
  ];
}

function showGroup({ by, items, sums }: TallyGroup): Sample[] {
  const { type, hpc = '', project_name: project = '', stage = '' } = by;
  if (type === 'job') {
    return [{ name: 'slipway_jobs', labels: { hpc, project, stage }, value: items }];
  }
  const [seconds, bytes] =
    type === 'quota'
      ? (['slipway_quota_seconds', 'slipway_quota_bytes'] as const)
      : (['slipway_budget_seconds', 'slipway_budget_bytes'] as const);
  return parts.flatMap((part): Sample[] => {
    const labels = { hpc, project, part };
    return [
      { name: seconds, labels, value: sums[`time_${part}`] ?? 0 },
      { name: bytes, labels, value: (sums[`space_${part}`] ?? 0) * 1000 },
    ];
  });
}

interface Queue {
  readonly labels: { readonly queue: string; readonly hpc?: SystemName };
  readonly name: DueQueue;
}

function listQueues(): Queue[] {
  return [
    ...catalog.systems.flatMap(({ name: hpc }): Queue[] => [
      { labels: { queue: 'hand-overs', hpc }, name: handOversOf(hpc) },
      { labels: { queue: 'checks', hpc }, name: checksOf(hpc) },
    ]),
    { labels: { queue: 'waiting-jobs' }, name: 'WAITING' },
    { labels: { queue: 'batches' }, name: 'BATCHES' },
    { labels: { queue: 'deliveries' }, name: 'DELIVERIES' },
    { labels: { queue: 'mails' }, name: 'MAIL' },
    { labels: { queue: 'quotas' }, name: 'EXPIRY' },
  ];
}

function showQueue(embedded: TableFigures, table: string, { labels, name }: Queue): Sample[] {
  const now = new Date();
  const range = { partitions: listShards(name), to: now.toISOString() };
  const { entries, first } = embedded.measureIndex(table, 'due', range);
  const seconds = first === undefined ? 0 : (now.getTime() - Date.parse(first)) / 1000;
  return [
    { name: 'slipway_due_items', labels, value: entries },
    { name: 'slipway_oldest_due_seconds', labels, value: seconds },
  ];
}

function showBacklog(embedded: TableFigures): Sample[] {
  return embedded.listBacklog().flatMap(({ reader, waiting, ageSeconds }): Sample[] => [
    { name: 'slipway_stream_waiting_changes', labels: { reader }, value: waiting },
    { name: 'slipway_stream_age_seconds', labels: { reader }, value: ageSeconds },
  ]);
}

async function readSystems(table: Table): Promise<Sample[]> {
  const systems = catalog.systems.map(({ name }) => name);
  const reports = await readSystemReports(table, systems);
  return [...reports].flatMap(([hpc, { state, lastContact, breaker, phase }]): Sample[] => {
    const labels = { hpc };
    const contact = lastContact === undefined ? [] : [lastContact.getTime() / 1000];
    return [
      ...(state === 'unknown'
        ? []
        : [{ name: 'slipway_system_up', labels, value: state === 'up' ? 1 : 0 } as const]),
      ...contact.map(
        (value) =>
          ({ name: 'slipway_system_last_contact_timestamp_seconds', labels, value }) as const,
      ),
      { name: 'slipway_breaker_open', labels, value: phase === 'closed' ? 0 : 1 },
      { name: 'slipway_breaker_failures', labels, value: breaker.failures },
    ];
  });
}

async function readDisk(folder: string): Promise<Sample[]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const table = [fileNames.main, fileNames.log].map((file) =>
    statSync(join(folder, 'dynamodb', file), { throwIfNoEntry: false }),
  );
  const bytes = table.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  return [
    { name: 'slipway_disk_free_bytes', value: bavail * bsize },
    { name: 'slipway_disk_size_bytes', value: blocks * bsize },
    ...(bytes === 0 ? [] : [{ name: 'slipway_table_bytes', value: bytes } as const]),
  ];
}
