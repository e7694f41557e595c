import { useEffect, useRef } from 'preact/hooks';
import { AdminSearch } from '../admin/frame/admin-search.tsx';
import { addressOf, page } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { LanguageLinks } from '../language/language-links.tsx';
import { announced } from '../live/announce.ts';
import { useCatalogOn } from '../live/catalog.ts';
import { ledProjects, useLedProjects } from '../live/led-projects.ts';
import { UndoNote } from '../live/undo.tsx';
import { notifies } from '../notifications/browser-notifications.ts';
import { EndWatcher } from '../notifications/end-watcher.tsx';
import { PlainButton } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageOf } from './page-of.tsx';
import { KeysDialog, keysShown } from './shortcuts.tsx';
import { Announcements, MaintenanceBanner, SystemsBanner } from './systems-banner.tsx';
import { describeTheme, switchTheme } from './theme.ts';
import { phrase } from './words.ts';

export function Shell() {
  const { administrator } = useSession();
  const main = useRef<HTMLElement>(null);
  const { value: shown } = page;
  const name = JSON.stringify(shown);
  useCatalogOn(name);
  useLedProjects();
  // Screen readers start at the new page, not where the link was.
  useEffect(() => main.current?.focus({ preventScroll: true }), [name]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {phrase('skipToContent')}
      </a>
      <Navigation />
      <main id="main" ref={main} tabIndex={-1}>
        {administrator && <AdminSearch />}
        <SystemsBanner />
        <MaintenanceBanner />
        <Announcements />
        <PageOf page={shown} />
      </main>
      <UserBar />
      {notifies.value && <EndWatcher />}
      <div class="announced" role="status" aria-live="polite">
        {announced.value}
      </div>
      <UndoNote />
      {keysShown.value && <KeysDialog />}
    </div>
  );
}

/** Shows who is signed in and the theme: below the navigation, or on a phone below the page. */
function UserBar() {
  const { user, administrator, signOut } = useSession();
  return (
    <aside class="who" aria-label={phrase('you')}>
      <span class="quiet">{administrator ? phrase('administrator', { user }) : user}</span>
      <a href={addressOf.notifications}>{pageNames.notifications()}</a>
      <PlainButton onClick={switchTheme}>{describeTheme()}</PlainButton>
      <LanguageLinks />
      <PlainButton onClick={signOut}>{phrase('signOut')}</PlainButton>
    </aside>
  );
}

const entries = [
  { name: pageNames.home, icon: 'home', address: addressOf.home, pages: ['home'] },
  {
    name: pageNames.jobs,
    icon: 'jobs',
    address: addressOf.jobs,
    pages: ['jobs', 'job', 'batches', 'batch'],
  },
  { name: () => phrase('submit'), icon: 'submit', address: addressOf.submit, pages: ['submit'] },
  {
    name: pageNames.quotas,
    icon: 'quotas',
    address: addressOf.quotas,
    pages: ['quotas', 'ledger', 'requests'],
  },
  {
    name: pageNames.webhooks,
    icon: 'webhooks',
    address: addressOf.webhooks,
    pages: ['webhooks', 'webhook'],
  },
] as const;

const lead = {
  name: pageNames.projects,
  icon: 'projects',
  address: addressOf.projects,
  pages: ['projects', 'project'],
} as const;

const administration = {
  name: () => phrase('admin'),
  icon: 'admin',
  address: addressOf.admin,
  pages: ['admin'],
} as const;

function Navigation() {
  const shown: string = page.value.name;
  const { administrator } = useSession();
  const leads = ledProjects.value.length > 0;
  const all = [...entries, ...(leads ? [lead] : []), ...(administrator ? [administration] : [])];
  return (
    <nav class="navigation" aria-label={phrase('pages')}>
      <a class="name" href={addressOf.home}>
        <img src="/console/icon.svg" alt="" width="24" height="24" /> Slipway
      </a>
      <ul>
        {all.map(({ name, icon, address, pages }) => (
          <li key={icon}>
            <a
              href={address}
              aria-current={pages.some((each) => each === shown) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {name()}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
