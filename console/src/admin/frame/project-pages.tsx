import type { JSX } from 'preact';
import { type ProjectPlace, projectRoomAt } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { Empty } from '../../parts/loading.tsx';
import { LedgerTable } from '../../quotas/ledger-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { ProjectTrail } from '../parts/project-trail.tsx';
import { useLinks } from '../parts/use-links.ts';
import {
  AllJobsPage,
  AnyJobPage,
  LedgerOfPersonPage,
  ProjectPage,
  ReportsPage,
  StatementPage,
} from './pages.ts';
import { phrase } from './words.ts';

interface ProjectPagesProps {
  readonly at: ProjectPlace;
  /** The parts of the address after that of the project. */
  readonly rest: readonly string[];
}

/** Shows the pages about one project, for its leaders. */
export function ProjectPages({ at: { hpc, project }, rest }: ProjectPagesProps): JSX.Element {
  const at = { hpc, project };
  const room = projectRoomAt(rest);
  switch (room.name) {
    case 'project':
      return <ProjectPage at={at} />;
    case 'jobs':
      return <AllJobsPage at={at} />;
    case 'job':
      return <AnyJobPage at={{ ...at, jobId: room.jobId }} />;
    case 'report':
      return <ReportsPage at={at} />;
    case 'statement':
      return <StatementPage at={at} />;
    case 'ledger':
      return <BudgetLedgerPage at={at} />;
    case 'member':
      return <LedgerOfPersonPage at={{ ...at, user: room.user }} />;
    case 'missing':
      return (
        <>
          <ProjectTrail at={at} />
          <h1>{pageNames.missing()}</h1>
          <p>{phrase('outOfDate')}</p>
        </>
      );
  }
}

function BudgetLedgerPage({ at }: { readonly at: ProjectPlace }) {
  const { hpc, project } = at;
  const links = useLinks();
  const pages = usePages(`ledger of budget ${hpc} ${project}`, (service, signal) =>
    service.readBudgetLedger({ hpc, project_name: project }, { signal }),
  );
  return (
    <>
      <header>
        <ProjectTrail at={at} />
        <h1>{phrase('ledgerOfBudget')}</h1>
      </header>
      <ListOf
        pages={pages}
        empty={<Empty title={phrase('ledgerEmpty')}>{phrase('noBudget')}</Empty>}
      >
        {(lines) => <LedgerTable lines={lines} at={at} jobAddress={links.job} />}
      </ListOf>
    </>
  );
}
