import { useState } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { adminAddress, systemOf } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { type Live, useLive } from '../../live/use-live.ts';
import { Waiting } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
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
          Open a project …
        </button>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {!value && error === undefined && <Waiting rows={4} />}
      {value && (
        <div class="scrolls">
          <table>
            <thead>
              <tr>
                <th>Project</th>
                <th>System</th>
                <th>State</th>
                <th class="number">Living jobs of one user</th>
                <th>Description</th>
                <th>
                  <span class="said">Acts</span>
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
      <td>{ofCatalog ? <span class="quiet">of the catalog</span> : project.description}</td>
      <td class="one-line">
        {!ofCatalog && (
          <span class="line">
            <button type="button" class="plain" onClick={() => onAct({ act: 'change', project })}>
              {project.closed ? 'Open again …' : 'Change …'}
            </button>
            {!project.closed && (
              <button type="button" class="plain" onClick={() => onAct({ act: 'close', project })}>
                Close …
              </button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}

/** All of them, read anew after each act. */
function useProjects({ service }: Session): Live<readonly Project[]> {
  return useLive('projects', (signal) => service.listProjects({}, { signal }));
}

/** Those of the catalog are the operator's, and have no description of their own. */
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
      act="Close it"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await session.service.closeProject({
          hpc: systemOf(project),
          any_project_name: name,
          body: { reason },
        });
        onDone();
        return 'The project is closed.';
      }}
    >
      {() => (
        <p>
          Nothing more can be submitted to it. Jobs that live there run to their end; files, quotas
          and ledgers stay. You can open it again.
        </p>
      )}
    </ActDialog>
  );
}
