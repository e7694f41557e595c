import type { JSX } from 'preact';
import { type AdminPage, adminAddress, adminPageAt, adminRooms } from '../browser/address.ts';
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

/** `rest` has the parts of the address after `/console/admin/`. */
export function AdminPages({ rest }: { readonly rest: readonly string[] }) {
  const [room = 'requests'] = rest;
  return (
    <>
      <AdminTabs room={room} />
      <PageOf key={rest.join('/')} page={adminPageAt(rest)} />
    </>
  );
}

function PageOf({ page }: { readonly page: AdminPage }): JSX.Element {
  switch (page.name) {
    case 'requests':
      return <InboxPage />;
    case 'people':
      return <PeoplePage />;
    case 'person':
      return <PersonPage user={page.user} />;
    case 'ledger':
      return <LedgerOfPersonPage at={page} />;
    case 'grants':
      return <GrantsPage />;
    case 'jobs':
      return <AllJobsPage />;
    case 'job':
      return <AnyJobPage at={page} />;
    case 'projects':
      return <ProjectsPage />;
    case 'project':
      return <ProjectPage at={page} />;
    case 'reports':
      return <ReportsPage />;
    case 'audit':
      return <AuditPage />;
    case 'systems':
      return <SystemsPage />;
    case 'missing':
      return <MissingPage />;
  }
}

function GrantsPage() {
  return (
    <>
      <h1>Grants</h1>
      <GrantSentence />
      <BulkGrant />
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
