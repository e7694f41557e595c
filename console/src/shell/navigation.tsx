import { addressOf } from '../address/address-of.ts';
import { page } from '../address/address.ts';
import { session } from '../connection/session.ts';
import { switchTheme, theme } from './theme.ts';

const entries = [
  { name: 'Home', icon: '⌂', address: addressOf.home, pages: ['home'] },
  { name: 'Jobs', icon: '≡', address: addressOf.jobs, pages: ['jobs', 'job'] },
  { name: 'Submit', icon: '＋', address: addressOf.submit, pages: ['submit'] },
  { name: 'Quotas', icon: '◔', address: addressOf.quotas, pages: ['quotas', 'ledger', 'requests'] },
  { name: 'Webhooks', icon: '↗', address: addressOf.webhooks, pages: ['webhooks', 'webhook'] },
] as const;

const administration = {
  name: 'Administration',
  icon: '⚙',
  address: addressOf.admin,
  pages: ['admin'],
} as const;

export function Navigation() {
  const shown: string = page.value.name;
  const { user, administrator, signOut } = session.value ?? {};
  const all = administrator ? [...entries, administration] : entries;
  return (
    <nav class="navigation" aria-label="Pages">
      <a class="name" href={addressOf.home}>
        <img src="/console/icon.svg" alt="" width="24" height="24" /> Slipway
      </a>
      <ul>
        {all.map(({ name, icon, address, pages }) => (
          <li key={name}>
            <a
              href={address}
              aria-current={pages.some((each) => each === shown) ? 'page' : undefined}
            >
              <span aria-hidden="true">{icon}</span>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <div class="who">
        <span class="quiet">{user}</span>
        <button type="button" class="plain" onClick={switchTheme} title="Light, dark, or as the system">
          {theme.value === 'system' ? 'As the system' : theme.value === 'light' ? 'Light' : 'Dark'}
        </button>
        <button type="button" class="plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </nav>
  );
}
