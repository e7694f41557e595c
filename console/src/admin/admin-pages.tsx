import { adminAddress } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { AnyJobPage } from './any-job-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { EverybodysJobsPage } from './everybodys-jobs-page.tsx';
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
  /** What stands in the address after `/console/admin/`. */
  readonly rest: readonly string[];
}

/** The pages of administrators: one room for each of what they look after. */
export function AdminPages({ session, rest }: AdminPagesProps) {
  const [room = 'requests'] = rest;
  return (
    <>
      <AdminTabs room={room} />
      <PageAt key={rest.join('/')} session={session} rest={rest} />
    </>
  );
}

function PageAt({ session, rest }: AdminPagesProps) {
  const [room = 'requests', first = '', second = '', third = ''] = rest;
  switch (`${room} ${Math.max(0, rest.length - 1)}`) {
    case 'requests 0':
      return <InboxPage session={session} />;
    case 'people 0':
      return <PeoplePage session={session} />;
    case 'people 1':
      return <PersonPage session={session} user={first} />;
    case 'people 3':
      return (
        <LedgerOfPersonPage session={session} at={{ user: first, hpc: second, project: third }} />
      );
    case 'grants 0':
      return <GrantsPage session={session} />;
    case 'jobs 0':
      return <EverybodysJobsPage session={session} />;
    case 'jobs 3':
      return <AnyJobPage session={session} at={{ hpc: first, project: second, jobId: third }} />;
    case 'projects 0':
      return <ProjectsPage session={session} />;
    case 'projects 2':
      return <ProjectPage session={session} at={{ hpc: first, project: second }} />;
    case 'reports 0':
      return <ReportsPage session={session} />;
    case 'audit 0':
      return <AuditPage session={session} />;
    case 'systems 0':
      return <SystemsPage session={session} />;
    default:
      return (
        <>
          <h1>There is nothing here</h1>
          <p>The address may be old. Choose one of the pages above, or find what you look for.</p>
        </>
      );
  }
}

const tabs = [
  { name: 'Requests', room: 'requests', address: adminAddress.requests },
  { name: 'People', room: 'people', address: adminAddress.people },
  { name: 'Grants', room: 'grants', address: adminAddress.grants },
  { name: 'Jobs', room: 'jobs', address: adminAddress.jobs },
  { name: 'Projects', room: 'projects', address: adminAddress.projects },
  { name: 'Reports', room: 'reports', address: adminAddress.reports },
  { name: 'Audit', room: 'audit', address: adminAddress.audit },
  { name: 'Systems', room: 'systems', address: adminAddress.systems },
] as const;

/** What administrators look after. */
function AdminTabs({ room }: { readonly room: string }) {
  return (
    <nav class="tabs" aria-label="Administration">
      {tabs.map((tab) => (
        <a key={tab.room} href={tab.address} aria-current={tab.room === room ? 'page' : undefined}>
          {tab.name}
        </a>
      ))}
    </nav>
  );
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
