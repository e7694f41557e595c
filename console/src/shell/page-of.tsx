import type { JSX } from 'preact';
import { AdminPages } from '../admin/frame/admin-pages.tsx';
import { LedProjectsPage } from '../admin/frame/pages.ts';
import { ProjectPages } from '../admin/frame/project-pages.tsx';
import { BatchesPage } from '../batches/batches-page.tsx';
import { addressOf, type Page } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { HomePage } from '../home/home-page.tsx';
import { JobPage } from '../job/job-page.tsx';
import { JobsPage } from '../jobs/jobs-page.tsx';
import { NotificationsPage } from '../notifications/notifications-page.tsx';
import { later } from '../parts/later.tsx';
import { LedgerPage } from '../quotas/ledger-page.tsx';
import { QuotasPage } from '../quotas/quotas-page.tsx';
import { RequestsPage } from '../quotas/requests-page.tsx';
import { WebhookPage } from '../webhooks/webhook-page.tsx';
import { WebhooksPage } from '../webhooks/webhooks-page.tsx';
import { phrase, rich } from './words.ts';

const BatchPage = later(async () => (await import('../batches/batch-page.tsx')).BatchPage);
const FolderPage = later(async () => (await import('../quotas/folder-page.tsx')).FolderPage);
const SubmitPage = later(async () => (await import('../submit/submit-page.tsx')).SubmitPage);

export function PageOf({ page }: { readonly page: Page }): JSX.Element {
  const { administrator } = useSession();
  switch (page.name) {
    case 'home':
      return <HomePage />;
    case 'jobs':
      return <JobsPage />;
    case 'job':
      return <JobPage key={page.jobId} at={page} />;
    case 'batches':
      return <BatchesPage />;
    case 'batch':
      return <BatchPage key={page.batchId} at={page} />;
    case 'submit':
      return <SubmitPage />;
    case 'quotas':
      return <QuotasPage />;
    case 'ledger':
      return <LedgerPage at={page} />;
    case 'folder':
      return <FolderPage key={JSON.stringify(page)} at={page} />;
    case 'requests':
      return <RequestsPage />;
    case 'projects':
      return <LedProjectsPage />;
    case 'project':
      return <ProjectPages key={JSON.stringify(page)} at={page} rest={page.rest} />;
    case 'notifications':
      return <NotificationsPage />;
    case 'webhooks':
      return <WebhooksPage />;
    case 'webhook':
      return <WebhookPage webhookId={page.webhookId} />;
    case 'admin':
      return administrator ? <AdminPages rest={page.rest} /> : <MissingPage />;
    case 'missing':
      return <MissingPage />;
  }
}

function MissingPage() {
  return (
    <>
      <h1>{pageNames.missing()}</h1>
      <p>
        {rich('mayBeOutOfDate', {
          home: <a href={addressOf.home}>{phrase('goHome')}</a>,
          jobs: <a href={addressOf.jobs}>{phrase('seeYourJobs')}</a>,
        })}
      </p>
    </>
  );
}
