import type { JSX } from 'preact';
import { type AdminPage, adminAddress, adminPageAt, adminRooms } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { AllJobsPage } from './all-jobs-page.tsx';
import { AnyJobPage } from './any-job-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { BulkGrant } from './grants/bulk-grant.tsx';
import { GrantSentence } from './grants/grant-sentence.tsx';
import { LedgerOfPersonPage } from './people/ledger-of-person-page.tsx';
import { PeoplePage } from './people/people-page.tsx';
import { PersonPage } from './people/person-page.tsx';
import { ProjectPage } from './projects/project-page.tsx';
import { ProjectsPage } from './projects/projects-page.tsx';
import { ReportsPage } from './reports/reports-page.tsx';
import { InboxPage } from './requests/inbox-page.tsx';
import { SystemsPage } from './systems-page.tsx';

interface AdminPagesProps {
  readonly session: Session;
  /** The parts of the address after `/console/admin/`. */
  readonly rest: readonly string[];
}

export function AdminPages({ session, rest }: AdminPagesProps) {
  const [room = 'requests'] = rest;
  return (
    <>
      <AdminTabs room={room} />
      <PageOf key={rest.join('/')} page={adminPageAt(rest)} session={session} />
    </>
  );
}

interface PageOfProps {
  readonly session: Session;
  readonly page: AdminPage;
}

function PageOf({ session, page }: PageOfProps): JSX.Element {
  switch (page.name) {
    case 'requests':
      return <InboxPage session={session} />;
    case 'people':
      return <PeoplePage session={session} />;
    case 'person':
      return <PersonPage session={session} user={page.user} />;
    case 'ledger':
      return <LedgerOfPersonPage session={session} at={page} />;
    case 'grants':
      return <GrantsPage session={session} />;
    case 'jobs':
      return <AllJobsPage session={session} />;
    case 'job':
      return <AnyJobPage session={session} at={page} />;
    case 'projects':
      return <ProjectsPage session={session} />;
    case 'project':
      return <ProjectPage session={session} at={page} />;
    case 'reports':
      return <ReportsPage session={session} />;
    case 'audit':
      return <AuditPage session={session} />;
    case 'systems':
      return <SystemsPage session={session} />;
    case 'missing':
      return <MissingPage />;
  }
}

function GrantsPage({ session }: { readonly session: Session }) {
  return (
    <>
      <h1>Grants</h1>
      <GrantSentence session={session} />
      <BulkGrant session={session} />
    </>
  );
}

function MissingPage() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        The address may be out of date. Choose a page above, or search for a person, job or project.
      </p>
    </>
  );
}

function AdminTabs({ room }: { readonly room: string }) {
  return (
    <nav class="tabs" aria-label="Administration">
      {adminRooms.map((each) => (
        <a key={each} href={adminAddress[each]} aria-current={each === room ? 'page' : undefined}>
          {each}
        </a>
      ))}
    </nav>
  );
}
