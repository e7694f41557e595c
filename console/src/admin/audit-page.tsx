import { useEffect, useState } from 'preact/hooks';
import { actKinds } from '#client/src/generated/choices.ts';
import type { Act } from '#client/src/index.ts';
import { goTo, query } from '../browser/address.ts';
import { adminAddress, withQuery } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { DayField, SelectField, TextField } from '../parts/fields.tsx';
import { Empty } from '../parts/loading.tsx';
import { ActsTable } from './parts/acts-table.tsx';
import { ListOf, usePages } from './parts/list-of.tsx';

/** Lists what administrators did. The filters are in the address, so that they can be shared. */
export function AuditPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const filters = readAuditFilters(query.value);
  const { asked, problems } = askForActs(filters);
  const pages = usePages(`audit ${JSON.stringify(asked)}`, (signal) =>
    session.service.readAudit(asked, { signal }),
  );
  return (
    <>
      <h1>Audit</h1>
      <AuditForm filters={filters} problems={problems} />
      <ListOf
        pages={pages}
        empty={
          <Empty title="No acts match these filters.">
            Remove a filter, or <a href={adminAddress.audit}>see all acts</a>.
          </Empty>
        }
      >
        {(acts) => <ActsTable acts={acts} catalog={catalog} />}
      </ListOf>
    </>
  );
}

interface AuditFormProps {
  readonly filters: AuditFilters;
  readonly problems: ReadonlyMap<string, string>;
}

function AuditForm({ filters, problems }: AuditFormProps) {
  const [typed, setTyped] = useState(filters);
  useEffect(() => setTyped(filters), [JSON.stringify(filters)]);
  const apply = (change: Partial<AuditFilters> = {}) =>
    goTo(withQuery(adminAddress.audit, { ...typed, ...change }));
  const number = (name: 'user' | 'by', label: string) => (
    <TextField
      label={label}
      error={problems.get(name)}
      value={typed[name]}
      onValue={(value) => setTyped({ ...typed, [name]: value })}
    />
  );
  const day = (name: 'since' | 'until', label: string) => (
    <DayField
      label={label}
      error={problems.get(name)}
      value={typed[name]}
      onValue={(value) => setTyped({ ...typed, [name]: value })}
    />
  );
  return (
    <form
      class="fields filter-fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <SelectField label="Act" value={typed.kind} onValue={(kind) => apply({ kind })}>
        <option value="">all acts</option>
        {actKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kind.replaceAll('-', ' ')}
          </option>
        ))}
      </SelectField>
      {number('user', 'User')}
      {number('by', 'By')}
      {day('since', 'From')}
      {day('until', 'To')}
      <button type="submit">Apply filters</button>
    </form>
  );
}

/** The filters, as the address has them. */
interface AuditFilters {
  readonly kind: string;
  readonly by: string;
  readonly user: string;
  readonly since: string;
  readonly until: string;
}

export function readAuditFilters(query: URLSearchParams): AuditFilters {
  const text = (name: string) => (query.get(name) ?? '').trim();
  return {
    kind: text('kind'),
    by: text('by'),
    user: text('user'),
    since: text('since'),
    until: text('until'),
  };
}

interface AskedAudit {
  readonly problems: ReadonlyMap<string, string>;
  readonly asked: {
    readonly kind?: Act['kind'];
    readonly by?: string;
    readonly user?: string;
    readonly since?: string;
    readonly until?: string;
  };
}

/** Turns the filters into a request. Invalid ones are left out and reported. */
export function askForActs(filters: AuditFilters): AskedAudit {
  const problems = new Map<string, string>();
  const day = (name: 'since' | 'until') => {
    if (filters[name] === '') return {};
    const fits = /^\d{4}-\d{2}-\d{2}$/.test(filters[name]);
    if (!fits) problems.set(name, 'Choose a day.');
    return fits ? { [name]: filters[name] } : {};
  };
  const user = (name: 'user' | 'by') => {
    if (filters[name] === '') return {};
    const fits = /^\d+$/.test(filters[name]) || (name === 'by' && filters.by === 'slipway');
    if (!fits) problems.set(name, 'Enter a user number, such as 306328.');
    return fits ? { [name]: filters[name] } : {};
  };
  const kind = actKinds.find((each) => each === filters.kind);
  return {
    problems,
    asked: {
      ...(kind && { kind }),
      ...user('by'),
      ...user('user'),
      ...day('since'),
      ...day('until'),
    },
  };
}
