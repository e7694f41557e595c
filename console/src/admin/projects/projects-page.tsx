import { useState } from 'preact/hooks';
import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import type { Project } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { adminAddress, systemOf } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { systemNames } from '../../live/catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, PlainButton } from '../../parts/form.tsx';
import { Empty, Loading } from '../../parts/loading.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Table } from '../../parts/table.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { ProjectDialog } from './project-dialog.tsx';
import { phrase } from './words.ts';

type Acting =
  | { readonly act: 'open' }
  | { readonly act: 'change' | 'close'; readonly project: Project };

export function ProjectsPage() {
  // Apart from the catalog, to refresh the list after each act.
  const { value, error, refresh } = useLive('projects', (service, signal) =>
    service.listProjects({}, { signal }),
  );
  const [wanted, setWanted] = useState('');
  const [acting, setActing] = useState<Acting>();
  const chosen = chooseProjects(value ?? [], wanted);
  const dialog = { onDone: refresh, onClose: () => setActing(undefined) };
  return (
    <>
      <header class="page-head">
        <h1>{pageNames.projects()}</h1>
        <Button
          class="main"
          disabled={systemNames().length === 0}
          onClick={() => setActing({ act: 'open' })}
        >
          {phrase('openAsk')}
        </Button>
      </header>
      <Loading value={value} error={error} refresh={refresh} rows={4} />
      {value && value.length > fewProjects && (
        <p class="filters">
          <SearchField label={phrase('searchProjects')} value={wanted} onValue={setWanted} />
        </p>
      )}
      {wanted !== '' && chosen.length === 0 && (
        <Empty title={phrase('noProjects')}>
          <PlainButton onClick={() => setWanted('')}>{phrase('showAllProjects')}</PlainButton>
        </Empty>
      )}
      {chosen.length > 0 && (
        <Table
          folds
          rows={chosen}
          keyOf={({ id }) => id}
          columns={[
            {
              head: phrase('project'),
              cell: (each) => <a href={adminAddress.project(each)}>{each.project_name}</a>,
            },
            { head: phrase('system'), cell: systemOf },
            { head: phrase('state'), cell: (project) => <StateOf project={project} /> },
            {
              head: phrase('jobsPerUser'),
              cell: (project) => writeNumber(project.max_living_jobs),
              class: 'number',
            },
            {
              head: phrase('description'),
              cell: (project) =>
                isOfCatalog(project) ? (
                  <span class="quiet">{phrase('inCatalog')}</span>
                ) : (
                  project.description
                ),
            },
            {
              head: <span class="said">{phrase('actions')}</span>,
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
      {acting?.act === 'close' && (
        <ActDialog
          title={phrase('close', { project: acting.project.project_name })}
          act={phrase('closeProject')}
          danger
          onAct={(service, reason) => {
            const { hpc, project_name: name } = placeOf(acting.project);
            return service.closeProject({ hpc, any_project_name: name, body: { reason } });
          }}
          reasonHint={phrase('auditKeepsReason')}
          done={phrase('closed')}
          {...dialog}
        >
          <p>{phrase('closeMeans')}</p>
        </ActDialog>
      )}
    </>
  );
}

/** As many projects as are seen at a glance. */
const fewProjects = 10;

/** Returns the projects with some words in their name, system or description, sorted by name. */
export function chooseProjects(projects: readonly Project[], wanted: string): readonly Project[] {
  const words = wanted.toLowerCase().split(/\s+/);
  return projects
    .filter((project) => {
      const { project_name: name, description = '' } = project;
      const text = `${name} ${systemOf(project)} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => a.project_name.localeCompare(b.project_name, undefined, { numeric: true }));
}

function StateOf({ project }: { readonly project: Project }) {
  return (
    <>
      {project.closed ? <span class="state declined">{term('closed')}</span> : term('open')}
      {project.default && `, ${term('default')}`}
      {project.shared && `, ${term('shared')}`}
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
        {project.closed ? phrase('openAgainAsk') : phrase('editAsk')}
      </PlainButton>
      {!project.closed && (
        <PlainButton onClick={() => onAct({ act: 'close', project })}>
          {phrase('closeAsk')}
        </PlainButton>
      )}
    </span>
  );
}

/** Projects of the catalog belong to the operator. Only opened projects say whether they are closed. */
function isOfCatalog({ closed }: Project): boolean {
  return closed === undefined;
}
