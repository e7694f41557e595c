import { useEffect, useRef } from 'preact/hooks';
import { joinWords } from '#client/src/format/sentences/join-words.ts';
import { describeMaintenance } from '#client/src/format/systems/describe-maintenance.ts';
import type { System as CatalogSystem, Job, Status } from '#client/src/index.ts';
import { AdminSearch } from '../admin/frame/pages.ts';
import { addressOf, page, systemOf } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { LanguageLinks } from '../language/language-links.tsx';
import { announced } from '../live/announce.ts';
import { catalog, useCatalogOn } from '../live/catalog.ts';
import { ledProjects, useLedProjects } from '../live/led-projects.ts';
import { UndoNote } from '../live/undo.tsx';
import { useLive } from '../live/use-live.ts';
import { notifies } from '../notifications/browser-notifications.ts';
import { EndWatcher } from '../notifications/end-watcher.tsx';
import { PlainButton } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageOf } from './page-of.tsx';
import { KeysDialog, keysShown } from './shortcuts.tsx';
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

type Icons = 'home' | 'jobs' | 'submit' | 'quotas' | 'webhooks' | 'projects' | 'admin';

/** An entry leads to one page, and is marked on all that belong to it. */
const entry = (name: () => string, icon: Icons, ...pages: readonly string[]) => ({
  name,
  icon,
  address: addressOf[icon],
  pages: [icon, ...pages],
});

const entries = [
  entry(pageNames.home, 'home'),
  entry(pageNames.jobs, 'jobs', 'job', 'batches', 'batch'),
  entry(() => phrase('submit'), 'submit'),
  entry(pageNames.quotas, 'quotas', 'ledger', 'folder', 'requests'),
  entry(pageNames.webhooks, 'webhooks', 'webhook'),
];
const lead = entry(pageNames.projects, 'projects', 'project');
const administration = entry(() => phrase('admin'), 'admin');

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

/** Shows what operators announce, such as the next maintenance. */
function Announcements() {
  const announced = catalog.value?.systems.filter(({ announcement }) => announcement) ?? [];
  return announced.map(({ name, announcement }) => (
    <p key={name} class="note">
      <strong>{name}</strong> {announcement}
    </p>
  ));
}

/** Shows the present and the coming maintenance of each system, with times of the reader. */
function MaintenanceBanner() {
  return listMaintenance(catalog.value?.systems ?? [], new Date()).map(({ sentence, isNow }) => (
    <p key={sentence} class={isNow ? 'note warn' : 'note'} role="status">
      {sentence}
    </p>
  ));
}

/** Lists what to say of maintenance: what is now, and what comes within two weeks. */
export function listMaintenance(
  systems: readonly Pick<CatalogSystem, 'name' | 'maintenance'>[],
  now: Date,
) {
  const soon = new Date(now.getTime() + twoWeeksMs);
  return systems.flatMap(({ name, maintenance = [] }) =>
    maintenance
      .filter(
        ({ from, until }) => new Date(from) < soon && (until === null || new Date(until) > now),
      )
      .map((window) => ({
        sentence: describeMaintenance(name, window, now),
        isNow: new Date(window.from) <= now && window.source !== 'slurm',
      })),
  );
}

const twoWeeksMs = 14 * 86_400_000;

/** Says which systems are down, and what that means for the user's jobs. */
function SystemsBanner() {
  const { value } = useLive('status', (service, signal) => service.readStatus({}, { signal }));
  const down = value?.systems.filter(({ status }) => status === 'down') ?? [];
  return down.length === 0 ? null : <Outage down={down} />;
}

function Outage({ down }: { readonly down: readonly System[] }) {
  const { value: active } = useLive('active', (service, signal) =>
    service.listJobs({ terminal: false, limit: 1000 }, { signal }),
  );
  return (
    <div class="note warn" role="status">
      <strong>
        {phrase('cannotBeReached', {
          count: down.length,
          systems: joinWords(down.map(systemOf)),
        })}
      </strong>
      {active && describeOutage(down, active).map((sentence) => <p key={sentence}>{sentence}</p>)}
    </div>
  );
}

type System = Status['systems'][number];

function describeOutage(down: readonly System[], active: readonly Job[]): readonly string[] {
  const names = down.map(systemOf);
  const there = active.filter((job) => names.includes(systemOf(job))).length;
  return [
    there === 0
      ? phrase('noneAffected')
      : `${phrase('someAffected', { count: there })} ${phrase('handedOverLater', { count: names.length })}`,
    phrase('keepSubmitting'),
  ];
}
