import { useEffect, useState } from 'preact/hooks';
import { given } from '#client/src/calls/given.ts';
import { actKinds } from '#client/src/generated/choices.ts';
import { writeCsv } from '#client/src/rows/write-csv.ts';
import { term } from '#client/src/words/terms.ts';
import { adminAddress, goTo, query, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { saveText } from '../browser/save.ts';
import { useService } from '../connection/session.ts';
import {
  Button,
  bindFields,
  Form,
  Options,
  SelectField,
  TextField,
  useAttempt,
} from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, ProblemNote } from '../parts/loading.tsx';
import { ActsTable } from './parts/acts-table.tsx';
import { ListOf, usePages } from './parts/list-of.tsx';
import { phrase, rich } from './words.ts';

function NoActsYet() {
  return <Empty title={phrase('noActsYet')}>{phrase('noActsYetMeans')}</Empty>;
}

function NoActsMatch() {
  return (
    <Empty title={phrase('noActsMatch')}>
      {rich('removeFilterOfActs', { all: <a href={adminAddress.audit}>{phrase('seeAllActs')}</a> })}
    </Empty>
  );
}

/** Lists what administrators did. The filters are in the address, so that they can be shared. */
export function AuditPage() {
  const service = useService();
  const filters = readAuditFilters(query.value);
  const { asked, problems } = askForActs(filters);
  const pages = usePages(`audit ${JSON.stringify(asked)}`, (service, signal) =>
    service.readAudit({ ...asked, names: true }, { signal }),
  );
  const { error: failed, attempt } = useAttempt();
  // The file has all acts that match, not only those that are shown.
  const save = async () =>
    saveText(writeCsv(await Array.fromAsync(service.readAudit(asked))), 'audit.csv', 'text/csv');
  return (
    <>
      <header class="page-head">
        <h1>{pageNames.audit()}</h1>
        <Button disabled={!pages.items?.length} onClick={() => attempt(save)}>
          <Icon name="download" /> {phrase('downloadCsv')}
        </Button>
      </header>
      {failed !== undefined && <ProblemNote error={failed} />}
      <AuditForm filters={filters} problems={problems} />
      <ListOf pages={pages} empty={query.value.size > 0 ? <NoActsMatch /> : <NoActsYet />}>
        {(acts) => <ActsTable acts={acts} />}
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
  const field = bindFields({ ...typed }, (name, value) => setTyped({ ...typed, [name]: value }));
  return (
    <Form class="fields filter-fields" noValidate onSubmit={() => apply()}>
      <SelectField label={phrase('act')} value={typed.kind} onValue={(kind) => apply({ kind })}>
        <option value="">{phrase('allActs')}</option>
        <Options of={actKinds} write={term} />
      </SelectField>
      <TextField label={phrase('user')} {...field('user', problems)} />
      <TextField label={phrase('by')} {...field('by', problems)} />
      <TextField label={phrase('from')} type="date" {...field('since', problems)} />
      <TextField label={phrase('to')} type="date" {...field('until', problems)} />
      <button type="submit">{phrase('applyFilters')}</button>
    </Form>
  );
}

/** The filters, as the address has them. */
type AuditFilters = Readonly<Record<'kind' | 'by' | 'user' | 'since' | 'until', string>>;

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

/** Turns the filters into a request. Invalid ones are left out and reported. */
export function askForActs(filters: AuditFilters) {
  const problems = new Map<string, string>();
  const check = (name: keyof AuditFilters, form: RegExp, problem: string) => {
    if (filters[name] === '' || form.test(filters[name])) return filters[name] || undefined;
    problems.set(name, problem);
    return undefined;
  };
  const day = (name: 'since' | 'until') => check(name, /^\d{4}-\d{2}-\d{2}$/, phrase('chooseDay'));
  const asked = given({
    kind: actKinds.find((each) => each === filters.kind),
    by: check('by', /^(\d+|slipway)$/, phrase('enterUser')),
    user: check('user', /^\d+$/, phrase('enterUser')),
    since: day('since'),
    until: day('until'),
  });
  return { problems, asked: { ...asked } };
}
