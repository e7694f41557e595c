import { useState } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { adminAddress, systemOf } from '../../browser/address.ts';
import { useService } from '../../connection/session.ts';
import { systemNames } from '../../live/catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { PlainButton } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';

type Acting =
  | { readonly act: 'open' }
  | { readonly act: 'change' | 'close'; readonly project: Project };

export function ProjectsPage() {
  // Apart from the catalog, to refresh the list after each act.
  const { value, error, refresh } = useLive('projects', (service, signal) =>
    service.listProjects({}, { signal }),
  );
  const [acting, setActing] = useState<Acting>();
  const dialog = { onDone: refresh, onClose: () => setActing(undefined) };
  return (
    <>
      <header class="page-head">
        <h1>Projects</h1>
        <button
          type="button"
          class="main"
          disabled={systemNames().length === 0}
          onClick={() => setActing({ act: 'open' })}
        >
          Open a project…
        </button>
      </header>
      <Loading value={value} error={error} refresh={refresh} rows={4} />
      {value && (
        <Table
          rows={value}
          keyOf={({ id }) => id}
          columns={[
            {
              head: 'Project',
              cell: (each) => <a href={adminAddress.project(each)}>{each.project_name}</a>,
            },
            { head: 'System', cell: systemOf },
            { head: 'State', cell: (project) => <StateOf project={project} /> },
            {
              head: 'Active jobs per user',
              cell: (project) => project.max_living_jobs.toLocaleString('en-US'),
              class: 'number',
            },
            {
              head: 'Description',
              cell: (project) =>
                isOfCatalog(project) ? (
                  <span class="quiet">set in the catalog</span>
                ) : (
                  project.description
                ),
            },
            {
              head: <span class="said">Actions</span>,
              cell: (project) =>
                !isOfCatalog(project) && <ProjectActs project={project} onAct={setActing} />,
              class: 'one-line',
            },
          ]}
          walkable
        />
      )}
      {acting?.act === 'open' && <ProjectDialog {...dialog} />}
      {acting?.act === 'change' && <ProjectDialog {...dialog} project={acting.project} />}
      {acting?.act === 'close' && <CloseDialog {...dialog} project={acting.project} />}
    </>
  );
}

function StateOf({ project }: { readonly project: Project }) {
  return (
    <>
      {project.closed ? <span class="state declined">closed</span> : 'open'}
      {project.default && ', default'}
      {project.shared && ', shared'}
    </>
  );
}

interface ProjectActsProps {
  readonly project: Project;
  readonly onAct: (acting: Acting) => void;
}

function ProjectActs({ project, onAct }: ProjectActsProps) {
  return (
    <span class="line">
      <PlainButton onClick={() => onAct({ act: 'change', project })}>
        {project.closed ? 'Open again…' : 'Edit…'}
      </PlainButton>
      {!project.closed && (
        <PlainButton onClick={() => onAct({ act: 'close', project })}>Close…</PlainButton>
      )}
    </span>
  );
}

/** Projects of the catalog belong to the operator. Only opened projects say whether they are closed. */
function isOfCatalog({ closed }: Project): boolean {
  return closed === undefined;
}

interface CloseDialogProps {
  readonly project: Project;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function CloseDialog({ project, onDone, onClose }: CloseDialogProps) {
  const service = useService();
  const { project_name: name } = project;
  return (
    <ActDialog
      title={`Close ${name}?`}
      act="Close project"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await service.closeProject({
          hpc: systemOf(project),
          any_project_name: name,
          body: { reason },
        });
        onDone();
        return 'Project closed.';
      }}
    >
      <p>
        New jobs are refused. Active jobs run to their end, and files, quotas and ledgers stay. You
        can open the project again.
      </p>
    </ActDialog>
  );
}
