import { randomUUID } from 'node:crypto';
import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { NoQuotaError, QuotaExceededError } from '#lib/quotas/errors.ts';
import { judgeSubmitter, kilobytesOf } from '#lib/quotas/holds.ts';
import { accountOf, budgetOf, type Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { TooManyUploadsError, UploadsTooLargeError } from '../errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { beginParts, listAllParts, type SignedPart, signPart } from './upload-parts.ts';
import { listOneMore, putUpload, readOpenUploads } from './upload-store.ts';

interface NewUpload {
  readonly owner: UserId;
  readonly fileName: string;
  readonly bytes: number;
  /** Whether the file comes in parts. */
  readonly inParts?: boolean;
}

/** The URL to send the file to, or its first part, and when it expires. */
export interface UploadOffer extends SignedPart {
  readonly upload: Upload;
  readonly addressExpiresAt: Date;
}

/**
 * Creates a URL for one file of exactly the announced length, or for the first of its parts. It can be
 * used once, and parts only until they are joined, so a file cannot be replaced after it was inspected
 * for a job.
 */
export async function createUpload(
  table: Table,
  catalog: Catalog,
  inputs: ObjectStore,
  { inParts, ...file }: NewUpload,
  groups: readonly string[] = [],
  at = new Date(),
): Promise<UploadOffer> {
  const quotas = await readOwnQuotas(table, catalog, file.owner);
  let upload: Upload = {
    ...file,
    id: randomUUID(),
    expiresAt: secondsLater(at, uploadSeconds.open),
  };
  await decideUntilWritten(async () => {
    const open = await readOpenUploads(table, file.owner, at);
    const project = firstProject(catalog);
    const judge = (budgets: readonly Quota[]) =>
      judgeUpload(file.bytes, { quotas, budgets, open: open.uploads, project, now: at });
    let refusal = judge([]);
    if (isForSpace(refusal)) {
      refusal = judge(await listBudgets(table, catalog, { quotas, groups, now: at }));
    }
    if (refusal) throw refusal;
    if (inParts) upload = await beginParts(inputs, upload);
    await writeTransaction(table, [listOneMore(open, upload), putUpload(upload)]);
  });
  const [first] = listAllParts(upload);
  const signed = await signPart(inputs, upload, first);
  return { upload, ...signed, addressExpiresAt: secondsLater(at, uploadSeconds.address) };
}

/** Tells whether the caller's own quotas are too small, so that the budgets are worth a read. */
function isForSpace(refusal: Error | undefined): boolean {
  return (
    refusal instanceof NoQuotaError ||
    refusal instanceof QuotaExceededError ||
    refusal instanceof UploadsTooLargeError
  );
}

interface Membership {
  readonly quotas: readonly Quota[];
  readonly groups: readonly string[];
  readonly now: Date;
}

/** Lists the budgets that the caller's jobs would draw from. */
async function listBudgets(
  table: Table,
  catalog: Catalog,
  { quotas, groups, now }: Membership,
): Promise<Quota[]> {
  const projects = await listProjects(table, catalog.systems);
  const drawn = projects.filter((project) => {
    const own = quotas.find(({ project: { number } }) => number === project.number);
    if (own && judgeSubmitter(accountOf(own), own, now)) return false;
    const isMember = own && !own.throughGroup;
    return project.shared && !project.closed && (isMember || joinsByGroup({ project, groups }));
  });
  const budgets = await mapInParallel(drawn, budgetsAtATime, ({ hpc, name: project }) =>
    readQuota(table, budgetOf({ hpc, project })),
  );
  return budgets.filter((budget) => budget !== undefined);
}

const budgetsAtATime = 8;

function firstProject({ systems }: Catalog): ProjectKey {
  const [project] = systems.map(defaultProject);
  if (!project) throw new Error('The catalog has no HPC system.');
  return { hpc: project.hpc, project: project.name };
}

const maxOpenUploads = 10;

interface Circumstances {
  readonly quotas: readonly Quota[];
  readonly budgets: readonly Quota[];
  readonly open: readonly Pick<Upload, 'bytes'>[];
  /** The project to name in the error if there is no quota at all. */
  readonly project: ProjectKey;
  readonly now: Date;
}

/**
 * Returns why an upload is refused, if it is. Nothing is held yet, but a file must be usable for at
 * least one job, and the user's open uploads must fit into their quotas.
 */
function judgeUpload(
  bytes: number,
  { quotas, budgets, open, project, now }: Circumstances,
): Error | undefined {
  const accounts = [...quotas, ...budgets];
  const refusals = accounts.map((quota) => judgeSubmitter(accountOf(quota), quota, now));
  const usable = accounts.filter((_, index) => !refusals[index]);
  const [roomiest] = usable.toSorted((a, b) => b.space.left - a.space.left);
  if (!roomiest) return refusals.find((refusal) => refusal) ?? new NoQuotaError(project);
  const kilobytes = kilobytesOf(bytes);
  const { time, space } = roomiest;
  if (kilobytes > space.left) {
    const left = { seconds: time.left, kilobytes: space.left };
    const of = roomiest.user === budgetHolder ? 'budget' : 'quota';
    return new QuotaExceededError(accountOf(roomiest), { seconds: 0, kilobytes }, left, of);
  }
  if (open.length >= maxOpenUploads) return new TooManyUploadsError(maxOpenUploads, open.length);
  const wanted = sum([...open, { bytes }].map((upload) => kilobytesOf(upload.bytes)));
  const room = sum(usable.map((quota) => quota.space.left));
  return wanted > room ? new UploadsTooLargeError(room, wanted) : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
