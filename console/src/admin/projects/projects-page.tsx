import { useState } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { adminAddress, systemOf } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { type Live, useLive } from '../../live/use-live.ts';
import { Loading } from '../../parts/loading.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';

type Acting =
  | { readonly act: 'open' }
  | { readonly act: 'change' | 'close'; readonly project: Project };

export function ProjectsPage({ session }: { readonly session: Session }) {
  const systems = useCatalog(session)?.systems.map(({ name }) => name) ?? [];
  const { value, error, refresh } = useProjects(session);
  const [acting, setActing] = useState<Acting>();
  const dialog = { session, onDone: refresh, onClose: () => setActing(undefined) };
  return (
    <>
      <header class="page-head">
        <h1>Projects</h1>
        <button
          type="button"
          class="main"
          disabled={systems.length === 0}
          onClick={() => setActing({ act: 'open' })}
        >
          Open a project…
        </button>
      </header>
      <Loading value={value} error={error} refresh={refresh} rows={4} />
      {value && (
        <div class="scrolls">
          <table>
            <thead>
              <tr>
                <th>Project</th>
                <th>System</th>
                <th>State</th>
                <th class="number">Active jobs per user</th>
                <th>Description</th>
                <th>
                  <span class="said">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.map((project) => (
                <ProjectRow key={project.id} project={project} onAct={setActing} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {acting?.act === 'open' && <ProjectDialog {...dialog} systems={systems} />}
      {acting?.act === 'change' && (
        <ProjectDialog {...dialog} systems={systems} project={acting.project} />
      )}
      {acting?.act === 'close' && <CloseDialog {...dialog} project={acting.project} />}
    </>
  );
}

function ProjectRow({
  project,
  onAct,
}: {
  readonly project: Project;
  readonly onAct: (acting: Acting) => void;
}) {
  const ofCatalog = isOfCatalog(project);
  return (
    <tr data-row>
      <td>
        <a href={adminAddress.project(project)}>{project.project_name}</a>
      </td>
      <td>{systemOf(project)}</td>
      <td>
        {project.closed ? <span class="state declined">closed</span> : 'open'}
        {project.default && ', default'}
      </td>
      <td class="number">{project.max_living_jobs.toLocaleString('en-US')}</td>
      <td>{ofCatalog ? <span class="quiet">set in the catalog</span> : project.description}</td>
      <td class="one-line">
        {!ofCatalog && (
          <span class="line">
            <button type="button" class="plain" onClick={() => onAct({ act: 'change', project })}>
              {project.closed ? 'Open again…' : 'Edit…'}
            </button>
            {!project.closed && (
              <button type="button" class="plain" onClick={() => onAct({ act: 'close', project })}>
                Close…
              </button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Loads the projects apart from the catalog, to refresh them after each act. */
function useProjects({ service }: Session): Live<readonly Project[]> {
  return useLive('projects', (signal) => service.listProjects({}, { signal }));
}

/** Projects of the catalog belong to the operator. Only opened projects say whether they are closed. */
function isOfCatalog({ closed }: Project): boolean {
  return closed === undefined;
}

interface CloseDialogProps {
  readonly session: Session;
  readonly project: Project;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function CloseDialog({ session, project, onDone, onClose }: CloseDialogProps) {
  const { project_name: name } = project;
  return (
    <ActDialog
      title={`Close ${name}?`}
      act="Close project"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await session.service.closeProject({
          hpc: systemOf(project),
          any_project_name: name,
          body: { reason },
        });
        onDone();
        return 'Project closed.';
      }}
    >
      {() => (
        <p>
          New jobs are refused. Active jobs run to their end, and files, quotas and ledgers stay.
          You can open the project again.
        </p>
      )}
    </ActDialog>
  );
}
