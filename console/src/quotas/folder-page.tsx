import { useState } from 'preact/hooks';
import { writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { writeMoment } from '#client/src/format/times/day.ts';
import type { JobFile, ProjectFolder } from '#client/src/index.ts';
import { accountAt, addressOf, type ProjectPlace } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { saveBlob } from '../browser/save.ts';
import { useService, useSession } from '../connection/session.ts';
import { ledProjects } from '../live/led-projects.ts';
import { useLive } from '../live/use-live.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Button } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading, ProblemNote } from '../parts/loading.tsx';
import { Table } from '../parts/table.tsx';
import { phrase } from './words.ts';

const mostFiles = 1000;

/** Shows what a project keeps on a system, for its members. */
export function FolderPage({ at: { hpc, project } }: { readonly at: ProjectPlace }) {
  const service = useService();
  const { administrator } = useSession();
  const place = { hpc, project_name: project };
  const { value, error, refresh } = useLive(`folder ${hpc} ${project}`, async (client, signal) => {
    const folder = await client.getProjectFolder(place, { signal });
    const listed = client.listProjectFiles({ ...place, limit: mostFiles }, { signal });
    return { folder, files: await listed };
  });
  const [failed, setFailed] = useState<unknown>();
  const [deleting, setDeleting] = useState<JobFile | 'everything'>();
  const account = accountAt({ hpc, project });
  const leads = ledProjects.value.some(
    (each) => each.project_hpc === account.project_hpc && each.project_name === project,
  );
  const save = ({ fileid, filename }: JobFile) =>
    service
      .readFile({ ...place, file_id: fileid })
      .then((answer) => answer.blob())
      .then((blob) => saveBlob(blob, filename.split('/').at(-1) ?? filename))
      .catch(setFailed);
  const remove = async (what: JobFile | 'everything') => {
    if (what === 'everything') await service.emptyProjectFolder({ ...place, confirm: project });
    else await service.deleteProjectFile({ ...place, file_id: what.fileid });
    refresh();
  };
  const canChange = value?.folder.in_reach === true;
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={addressOf.quotas}>{pageNames.quotas()}</a> · {hpc} ·{' '}
            <a href={addressOf.ledger(account)}>{project}</a>
          </p>
          <h1>{pageNames.folder(project)}</h1>
        </div>
        {canChange && (leads || administrator) && value.files.length > 0 && (
          <Button class="danger" onClick={() => setDeleting('everything')}>
            {phrase('emptyFolder')}
          </Button>
        )}
      </header>
      {failed !== undefined && <ProblemNote error={failed} />}
      <Loading value={value} error={error} refresh={refresh} rows={8} />
      {value && <Fill folder={value.folder} />}
      {value?.files.length === 0 && (
        <Empty title={phrase('folderIsEmpty')}>{phrase('folderMeans')}</Empty>
      )}
      {value !== undefined && value.files.length > 0 && (
        <Table
          rows={value.files}
          keyOf={({ filename }) => filename}
          columns={[
            { head: phrase('file'), cell: ({ filename }) => filename },
            { head: phrase('size'), cell: ({ length }) => writeSize(length), class: 'number' },
            canChange && {
              head: '',
              cell: (file: JobFile) => (
                <span class="line end">
                  <Button
                    class="plain"
                    aria-label={phrase('downloadFile', { name: file.filename })}
                    onClick={() => void save(file)}
                  >
                    <Icon name="download" />
                  </Button>
                  <Button
                    class="plain"
                    aria-label={phrase('deleteFile', { name: file.filename })}
                    onClick={() => setDeleting(file)}
                  >
                    {phrase('delete')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {value !== undefined && value.files.length >= mostFiles && (
        <p class="quiet">{phrase('firstFiles', { count: mostFiles })}</p>
      )}
      {deleting !== undefined && (
        <Confirm
          title={deleting === 'everything' ? phrase('emptyThis') : phrase('deleteThis')}
          act={phrase('delete')}
          onAct={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          {deleting === 'everything'
            ? phrase('everythingGoes', {
                files: writeCount(value?.folder.files ?? 0, 'file'),
                size: writeSize(value?.folder.length ?? 0),
              })
            : phrase('goesForAll', { name: deleting.filename })}
        </Confirm>
      )}
    </>
  );
}

/** Says how full the folder is, and what that means. */
function Fill({ folder }: { readonly folder: ProjectFolder }) {
  const { length, limit, measured, full, in_reach: inReach } = folder;
  if (length === null || measured === null) {
    return <p>{phrase('folderUnknown', { limit: writeSize(limit) })}</p>;
  }
  const said = { size: writeSize(length), limit: writeSize(limit), at: writeMoment(measured) };
  return (
    <>
      <p>{phrase('folderHas', said)}</p>
      {full && <p class="warning">{phrase('folderIsFull')}</p>}
      {!inReach && <p class="quiet">{phrase('folderOutOfReach')}</p>}
    </>
  );
}
