import { writeSize } from '../../format/amounts/amounts.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import { writeMoment } from '../../format/times/day.ts';
import type { JobFile, ProjectFolder, Slipway } from '../../index.ts';
import { type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { findProject } from '../session/find.ts';
import { confirm, createCommand, type Open, showList, take } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { saveAll } from './files.ts';

export function createFolder(open: Open) {
  return createCommand('folder', phrase('project.workWithTheFolder'))
    .examples('slipway folder', 'slipway folder download models/model.pt -p lab_42')
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createDownload(open))
    .addCommand(createDelete(open))
    .addCommand(createEmpty(open));
}

const project = () => ['-p, --project <project>', phrase('project.folderOfProject')] as const;

function createList(open: Open) {
  return createCommand('list', phrase('project.listTheFolder'))
    .examples('slipway folder list', 'slipway folder list -p lab_42 --folder models')
    .option(...project())
    .option('--folder <path>', phrase('jobs.listOneFolder'))
    .option('--csv', phrase('jobs.printCsvInBytes'))
    .action(async ({ project: wanted, folder, csv }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const place = await findKept(client, wanted);
      const kept = await client.getProjectFolder(place);
      const files = await listAll(client, place, folder);
      if (!csv && !session.json) screen.tell(...describeFolder(kept, place));
      showList(session, files, { csv, none: phrase('project.folderIsEmpty') }, [
        column('jobs.headFile', ({ filename }) => filename, { shrinks: true }),
        rightColumn('jobs.headSize', (file) => (file.folder ? '' : writeSize(file.length))),
      ]);
    });
}

function createDownload(open: Open) {
  return createCommand('download', phrase('project.downloadFromTheFolder'))
    .examples('slipway folder download', 'slipway folder download models/model.pt --to here')
    .argument('[names...]', phrase('jobs.namesOfFiles'))
    .option(...project())
    .option('-d, --to <folder>', phrase('project.targetFolder'))
    .action(async (names, { project: wanted, to }, command) => {
      const session = open(command);
      const place = await findKept(session.client, wanted);
      const missing = (name: string) => refuseName(name, place);
      await saveAll(session, place, to ?? place.project_name, { names, missing });
    });
}

function createDelete(open: Open) {
  return createCommand('delete', phrase('project.deleteFromTheFolder'))
    .examples('slipway folder delete models/old.pt')
    .argument('<names...>', phrase('project.namesToDelete'))
    .option(...project())
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .action(async (names, { project: wanted, yes }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const place = await findKept(client, wanted);
      const files = await listAll(client, place);
      const found = names.map((name) => {
        const file = files.find(({ filename }) => filename === name);
        if (file) return file;
        throw refuseName(name, place);
      });
      const bytes = found.reduce((sum, { length }) => sum + length, 0);
      const words = { files: writeCount(found.length, 'file'), size: writeSize(bytes) };
      screen.tell(phrase('project.willBeDeleted', words));
      if (!(await confirm(session, phrase('project.deleteThem'), yes))) {
        return screen.tell(phrase('shared.nothingWasDeleted'));
      }
      let left = await client.getProjectFolder(place);
      for (const { fileid } of found) {
        left = await client.deleteProjectFile({ ...place, file_id: fileid });
      }
      session.print(left, phrase('project.deletedFiles', words));
    });
}

function createEmpty(open: Open) {
  return createCommand('empty', phrase('project.emptyTheFolder'))
    .examples('slipway folder empty -p lab_42')
    .option(...project())
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .action(async ({ project: wanted, yes }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const place = await findKept(client, wanted);
      const { files, length } = await client.getProjectFolder(place);
      const words = {
        files: writeCount(files ?? 0, 'file'),
        size: writeSize(length ?? 0),
        place: writePlace(place),
      };
      screen.tell(phrase('project.everythingWillBeDeleted', words));
      if (!(await confirm(session, phrase('project.deleteEverything'), yes))) {
        return screen.tell(phrase('shared.nothingWasDeleted'));
      }
      const left = await client.emptyProjectFolder({ ...place, confirm: place.project_name });
      session.print(left, phrase('project.deletedFiles', words));
    });
}

/** Finds the project that is meant: the caller's only one with a folder, if none is named. */
async function findKept(client: Slipway, wanted: string | undefined): Promise<ProjectPlace> {
  if (wanted !== undefined) return findProject(client, wanted);
  const [systems, quotas] = await Promise.all([client.listSystems(), client.listQuotas()]);
  const places = quotas.flatMap(({ project_hpc, project_name }): ProjectPlace[] => {
    const { keep, name = '' } = systems.find((each) => each.project_hpc === project_hpc) ?? {};
    const isKept = keep && (keep.projects?.includes(project_name) ?? true);
    return isKept ? [{ hpc: name, project_name }] : [];
  });
  const [only, ...others] = places;
  if (!only) throw new CannotDo(phrase('project.noFolders'), { outcome: outcome.refused });
  if (others.length === 0) return only;
  const names = places.map(writePlace).join(', ');
  throw new CannotDo(phrase('project.severalFolders', { names }), {
    next: phrase('project.chooseOne', { place: writePlace(only) }),
  });
}

function listAll(client: Slipway, place: ProjectPlace, folder?: string): Promise<JobFile[]> {
  const part = folder === undefined ? {} : { folder };
  return take(client.listProjectFiles({ ...place, ...part }), Infinity);
}

function describeFolder(
  { length, limit, full, in_reach: inReach, measured }: ProjectFolder,
  place: ProjectPlace,
): string[] {
  const of = { place: writePlace(place), limit: writeSize(limit) };
  if (length === null || measured === null) return [phrase('project.folderNotMeasured', of)];
  return [
    phrase('project.folderHas', { ...of, size: writeSize(length), at: writeMoment(measured) }),
    ...(full ? [phrase('project.folderIsFull')] : []),
    ...(inReach ? [] : [phrase('project.folderOutOfReach')]),
  ];
}

function refuseName(name: string, place: ProjectPlace): CannotDo {
  return new CannotDo(phrase('project.folderHasNoFile', { name }), {
    outcome: outcome.refused,
    next: phrase('project.listTheFolderOf', { place: writePlace(place) }),
  });
}
