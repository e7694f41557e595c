import type { JSX } from 'preact';
import { AdminPages } from '../admin/admin-pages.tsx';
import { addressOf, type Page } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { HomePage } from '../home/home-page.tsx';
import { JobPage } from '../job/job-page.tsx';
import { JobsPage } from '../jobs/jobs-page.tsx';
import { LedgerPage } from '../quotas/ledger-page.tsx';
import { QuotasPage } from '../quotas/quotas-page.tsx';
import { RequestsPage } from '../quotas/requests-page.tsx';
import { SubmitPage } from '../submit/submit-page.tsx';
import { WebhookPage } from '../webhooks/webhook-page.tsx';
import { WebhooksPage } from '../webhooks/webhooks-page.tsx';

export function PageOf({
  page,
  session,
}: {
  readonly page: Page;
  readonly session: Session;
}): JSX.Element {
  switch (page.name) {
    case 'home':
      return <HomePage session={session} />;
    case 'jobs':
      return <JobsPage session={session} />;
    case 'job':
      return <JobPage key={page.jobId} session={session} at={page} />;
    case 'submit':
      return <SubmitPage session={session} />;
    case 'quotas':
      return <QuotasPage session={session} />;
    case 'ledger':
      return <LedgerPage session={session} at={page} />;
    case 'requests':
      return <RequestsPage session={session} />;
    case 'webhooks':
      return <WebhooksPage session={session} />;
    case 'webhook':
      return <WebhookPage session={session} webhookId={page.webhookId} />;
    case 'admin':
      return session.administrator ? (
        <AdminPages session={session} rest={page.rest} />
      ) : (
        <MissingPage />
      );
    case 'missing':
      return <MissingPage />;
  }
}

function MissingPage() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        The address may be out of date, or the page may belong to somebody else.{' '}
        <a href={addressOf.home}>Go home</a> or <a href={addressOf.jobs}>see your jobs</a>.
      </p>
    </>
  );
}
