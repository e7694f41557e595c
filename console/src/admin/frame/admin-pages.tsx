import type { JSX } from 'preact';
import { type AdminPage, adminAddress, adminPageAt, adminRooms } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { nameRoom } from '../../browser/page-title.ts';
import {
  AllJobsPage,
  AnyJobPage,
  AuditPage,
  GrantsPage,
  InboxPage,
  LedgerOfPersonPage,
  PeoplePage,
  PersonPage,
  ProjectPage,
  ProjectsPage,
  ReportsPage,
  SystemsPage,
} from './pages.ts';
import { phrase } from './words.ts';

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

function MissingPage() {
  return (
    <>
      <h1>{pageNames.missing()}</h1>
      <p>
        {phrase('outOfDate')} {phrase('choosePage')}
      </p>
    </>
  );
}

function AdminTabs({ room }: { readonly room: string }) {
  return (
    <nav class="tabs" aria-label={pageNames.admin()}>
      {adminRooms.map((each) => (
        <a key={each} href={adminAddress[each]} aria-current={each === room ? 'page' : undefined}>
          {nameRoom(each)}
        </a>
      ))}
    </nav>
  );
}
