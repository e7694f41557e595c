import { page } from '../address/address.ts';
import { addressOf } from '../address/address-of.ts';
import { session } from '../connection/session.ts';
import { Icon } from '../parts/icon.tsx';

const entries = [
  { name: 'Home', icon: 'home', address: addressOf.home, pages: ['home'] },
  { name: 'Jobs', icon: 'jobs', address: addressOf.jobs, pages: ['jobs', 'job'] },
  { name: 'Submit', icon: 'submit', address: addressOf.submit, pages: ['submit'] },
  {
    name: 'Quotas',
    icon: 'quotas',
    address: addressOf.quotas,
    pages: ['quotas', 'ledger', 'requests'],
  },
  {
    name: 'Webhooks',
    icon: 'webhooks',
    address: addressOf.webhooks,
    pages: ['webhooks', 'webhook'],
  },
] as const;

const administration = {
  name: 'Admin',
  icon: 'admin',
  address: addressOf.admin,
  pages: ['admin'],
} as const;

export function Navigation() {
  const shown: string = page.value.name;
  const all = session.value?.administrator ? [...entries, administration] : entries;
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
              <Icon name={icon} />
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
