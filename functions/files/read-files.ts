import { findBatch } from '#lib/batches/batch-store.ts';
import { readResults, selectRange } from '#lib/batches/read-results.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { requireMember } from '#lib/files/folders/folder-members.ts';
import type { FetchedFile } from '#lib/files/results/job-file.ts';
import { type FileOwner, openFileSource } from '#lib/files/results/open-file-source.ts';
import { type ApiRequest, answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { acceptLines } from '#lib/http/parsers/accept.ts';
import { batchResults, jobFilesOf, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { filesQuery, resultsQuery } from '#lib/http/parsers/queries/file-queries.ts';
import { fillResultPage } from '#lib/http/presenters/fill-result-page.ts';
import { presentFolder } from '#lib/http/presenters/present-folder.ts';
import { presentFilePage, presentFiles } from '#lib/http/presenters/present-job.ts';
import {
  type ApiResponse,
  ok,
  okFile,
  okLines,
  okText,
  respond,
  seeOther,
} from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { createJobFinder } from '#lib/jobs/read/create-job-finder.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { connect, openFolderFor, visitorOf } from '../project-folders.ts';
import { table } from '../table.ts';

const usualFilesOfPage = 1000;
const fileCursors = openCursors(jobFilesOf);
const cursors = openCursors(batchResults);
const findJob = createJobFinder(table);

export const handler = projectHandler(endpoints, 'read-files', table, {
  list: answer({ query: filesQuery }, async (request) => {
    const { caller, path, query, linkTo } = request;
    const { folder, limit = usualFilesOfPage } = query;
    const list = { owner: caller.userId, hpc: path.hpc.name, job: path.job_id, folder };
    const after = fileCursors.verify(list, query.cursor);
    const files = await openFiles(request);
    const isWhole = Object.values(query).every((value) => value === undefined);
    if (isWhole) return ok(presentFiles(await files.list()));
    const { body, next } = presentFilePage(await files.page({ folder, after, limit }));
    return respond(200, body, linkTo(fileCursors.sign(list, next)));
  }),
  one: answer({}, async (request) =>
    sendFile(await (await openFiles(request)).fetch(request.path.file_id)),
  ),
  ofBatch: answer({ headers: acceptLines, query: resultsQuery }, async (request) => {
    const { caller, path, query, headers, linkTo, time } = request;
    const { hpc, batch_id: id } = path;
    const batch = await findBatch(table, caller.userId, id, projectAt(path));
    const { name, first, last } = query;
    const list = { owner: caller.userId, batch: id, name, first, last };
    const ids = selectRange(batch, list);
    const areSent = sendsResults(hpc);
    const atOnce = areSent ? sentAtOnce : keptAtOnce;
    const source = { table, batch, atOnce, openFiles: (job: FileOwner) => openFilesOf(job, hpc) };
    const enoughMs = time.leftMs() / 2;
    const page = await fillResultPage(
      {
        readRun: (after, wanted) =>
          readJobs(table, { owner: list.owner, ids, order: 'asc', filter: {} }, after, wanted),
        readResults: (jobs) => readResults(source, jobs, name),
        atOnce,
        isOver: () => time.leftMs() < enoughMs,
      },
      query.limit,
      cursors.verify(list, query.cursor),
    );
    const link = linkTo(cursors.sign(list, page.next));
    return headers.inLines ? okLines(page.lines, link) : okText(`[${page.lines.join(',')}]`, link);
  }),
  folder: answer({}, async ({ caller, path }) => {
    await requireMember(table, visitorOf(caller), path.project_name);
    const folder = await openFolderFor(caller, path);
    return ok(presentFolder(projectAt(path), folder, await folder.measure()));
  }),
  folderFiles: answer({ query: filesQuery }, async ({ caller, path, query, linkTo }) => {
    await requireMember(table, visitorOf(caller), path.project_name);
    const { folder: inside, limit = usualFilesOfPage } = query;
    const { hpc, project: job } = projectAt(path);
    const list = { owner: caller.userId, hpc, job, folder: inside };
    const after = fileCursors.verify(list, query.cursor);
    const folder = await openFolderFor(caller, path);
    const { body, next } = presentFilePage(await folder.page({ folder: inside, after, limit }));
    return respond(200, body, linkTo(fileCursors.sign(list, next)));
  }),
  folderFile: answer({}, async ({ caller, path }) => {
    await requireMember(table, visitorOf(caller), path.project_name);
    const folder = await openFolderFor(caller, path);
    return sendFile(await folder.fetch(path.file_id));
  }),
});

/** Zips in the storage, and files on a system, which serves others too. */
const [sentAtOnce, keptAtOnce] = [32, 8];

async function openFiles({ caller, path }: ApiRequest<'/{hpc}/{project_name}/{job_id}/'>) {
  const { hpc, job_id: id } = path;
  const areSent = sendsResults(hpc);
  const job = await findJob({ user: caller.userId, ...projectAt(path) }, id, areSent);
  return openFilesOf(job, hpc);
}

function openFilesOf(job: FileOwner, hpc: HpcSystem) {
  return openFileSource(job, {
    sendsResults: sendsResults(hpc),
    connect: () => connect(hpc),
    table,
    results: jobFiles.results,
  });
}

function sendFile(file: FetchedFile): ApiResponse {
  if (file.kind === 'address') return seeOther(file.address);
  const { name, bytes, startsAt } = file;
  return okFile(name, bytes, startsAt === undefined ? {} : { 'file-starts-at': String(startsAt) });
}
