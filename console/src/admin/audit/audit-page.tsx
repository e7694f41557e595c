import { useEffect, useState } from 'preact/hooks';
import { actKinds } from '#client/src/generated/choices.ts';
import { goTo, query } from '../../address/address.ts';
import { withQuery } from '../../address/address-of.ts';
import { adminAddress } from '../../address/admin-address.ts';
import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/field.tsx';
import { DayField } from '../act/day-field.tsx';
import { TextField } from '../act/text-field.tsx';
import { ListOf } from '../list/list-of.tsx';
import { usePages } from '../list/use-pages.ts';
import { ActsTable } from './acts-table.tsx';
import { type AuditFilters, askForActs, readAuditFilters } from './audit-filters.ts';

/** What administrators did. Its filters live in the address, to be shared and gone back from. */
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
          <Empty title="No act is like that.">
            Take a filter away, or <a href={adminAddress.audit}>see all acts</a>. Nothing here can
            be changed or deleted.
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
      day={typed[name]}
      onDay={(value) => setTyped({ ...typed, [name]: value })}
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
      <Field label="What">
        {(ids) => (
          <select
            {...ids}
            value={typed.kind}
            onChange={({ currentTarget }) => apply({ kind: currentTarget.value })}
          >
            <option value="">all acts</option>
            {actKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kind.replaceAll('-', ' ')}
              </option>
            ))}
          </select>
        )}
      </Field>
      {number('user', 'To whom')}
      {number('by', 'By')}
      {day('since', 'Since')}
      {day('until', 'Until')}
      <button type="submit">Show</button>
    </form>
  );
}
