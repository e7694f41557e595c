import { later } from '../../parts/later.tsx';

// Each is a part of its own, because researchers open none of them.
export const AdminSearch = later(async () => (await import('./admin-search.tsx')).AdminSearch, {
  rows: 1,
});
export const AllJobsPage = later(async () => (await import('../all-jobs-page.tsx')).AllJobsPage);
export const AnyJobPage = later(async () => (await import('../any-job-page.tsx')).AnyJobPage);
export const AuditPage = later(async () => (await import('../audit-page.tsx')).AuditPage);
export const GrantsPage = later(async () => (await import('../grants/grants-page.tsx')).GrantsPage);
export const InboxPage = later(async () => (await import('../requests/inbox-page.tsx')).InboxPage);
export const LedgerOfPersonPage = later(
  async () => (await import('../people/ledger-of-person-page.tsx')).LedgerOfPersonPage,
);
export const LedProjectsPage = later(
  async () => (await import('../projects/led-projects-page.tsx')).LedProjectsPage,
);
export const PeoplePage = later(async () => (await import('../people/people-page.tsx')).PeoplePage);
export const PersonPage = later(async () => (await import('../people/person-page.tsx')).PersonPage);
export const ProjectPage = later(
  async () => (await import('../projects/project-page.tsx')).ProjectPage,
);
export const ProjectsPage = later(
  async () => (await import('../projects/projects-page.tsx')).ProjectsPage,
);
export const ReportsPage = later(
  async () => (await import('../reports/reports-page.tsx')).ReportsPage,
);
export const SystemsPage = later(async () => (await import('../systems-page.tsx')).SystemsPage);
export const StatementPage = later(
  async () => (await import('../statement/statement-page.tsx')).StatementPage,
);
