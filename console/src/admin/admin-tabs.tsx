import { adminAddress } from '../address/admin-address.ts';

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
export function AdminTabs({ room }: { readonly room: string }) {
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
