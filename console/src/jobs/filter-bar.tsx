import { useEffect, useState } from 'preact/hooks';
import { writeDay } from '#client/src/format/times/day.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf, goTo, systemOf, withQuery } from '../browser/address.ts';
import { catalog, systemNames } from '../live/catalog.ts';
import { Chips } from '../parts/chips.tsx';
import { Choice } from '../parts/form.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { readSorting, writeSorting } from './sort-jobs.ts';
import { phrase } from './words.ts';

const pauseMs = 250;

interface FilterBarProps {
  readonly filters: JobFilters;
  /** The address of the list. */
  readonly list?: string;
  /** Other filters of the list, which are kept. */
  readonly also?: Readonly<Record<string, string>>;
  /** Whether all jobs of the list are in one project, so that there is no place to choose. */
  readonly placed?: boolean;
}

/** Shows the filters as links to the same list, so that they can be shared and undone. */
export function FilterBar({
  filters,
  list = addressOf.jobs,
  also,
  placed = false,
}: FilterBarProps) {
  const addressWith = (change: Partial<JobFilters>) =>
    withQuery(list, { ...also, ...writeFilters({ ...filters, ...change }) });
  const places = (catalog.value?.projects ?? []).filter(
    (project) => filters.hpc === '' || systemOf(project) === filters.hpc,
  );
  const choosePlace = (name: string) => {
    const place = places.find(({ project_name: each }) => each === name);
    goTo(addressWith({ project: name, ...(place && { hpc: systemOf(place) }) }));
  };
  return (
    <div class="filters">
      <Chips
        label={phrase('stage')}
        values={jobStates}
        current={filters.state}
        addressOf={(state) => addressWith({ state })}
        write={(state) => stateNames[state]()}
      />
      {!placed && (
        <Choice
          label={phrase('system')}
          value={filters.hpc}
          all={phrase('allSystems')}
          values={systemNames()}
          onValue={(hpc) => goTo(addressWith({ hpc, project: '' }))}
        />
      )}
      {!placed && places.length > 1 && (
        <Choice
          label={phrase('project')}
          value={filters.project}
          all={phrase('allProjects')}
          values={[...new Set(places.map(({ project_name: name }) => name))]}
          onValue={choosePlace}
        />
      )}
      <details class="menu">
        <summary>{describeDays(filters)}</summary>
        <fieldset class="panel">
          <legend class="said">{phrase('daysIncluded')}</legend>
          <DayField
            label={phrase('from')}
            value={filters.since}
            onValue={(since) => goTo(addressWith({ since }))}
          />
          <DayField
            label={phrase('to')}
            value={filters.until}
            onValue={(until) => goTo(addressWith({ until }))}
          />
        </fieldset>
      </details>
      <TitleSearch
        title={filters.title}
        onSearch={(title) => goTo(addressWith({ title }), { instead: true })}
      />
    </div>
  );
}

/** Writes `all days`, `since 1 November 2026`, or both ends. */
export function describeDays({ since, until }: Pick<JobFilters, 'since' | 'until'>): string {
  if (since !== '' && until !== '') {
    return phrase('fromTo', { since: writeDay(since), until: writeDay(until) });
  }
  if (since !== '') return phrase('sinceDay', { day: writeDay(since) });
  return until === '' ? phrase('allDays') : phrase('untilDay', { day: writeDay(until) });
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (day: string) => void;
}

/** Chooses the first or the last day of the list, both included. */
function DayField({ label, value, onValue }: DayFieldProps) {
  return (
    <label class="inline day">
      <span class="quiet">{label}</span>
      <input
        type="date"
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  );
}

interface TitleSearchProps {
  readonly title: string;
  readonly onSearch: (title: string) => void;
}

function TitleSearch({ title, onSearch }: TitleSearchProps) {
  const [typed, setTyped] = useState(title);
  useEffect(() => setTyped(title), [title]);
  useEffect(() => {
    if (typed === title) return;
    const timer = setTimeout(() => onSearch(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchField label={phrase('searchTitles')} value={typed} onValue={setTyped} />;
}

/** The filters, as the address has them. */
export interface JobFilters {
  readonly state: JobState;
  readonly hpc: string;
  readonly project: string;
  readonly title: string;
  /** Days such as `2026-11-15`, both included. */
  readonly since: string;
  readonly until: string;
  /** `title` or `-title`. Empty for the newest first. */
  readonly sort: string;
}

const jobStates = ['all', 'active', 'ended', 'failed'] as const;

type JobState = (typeof jobStates)[number];

const stateNames = {
  all: () => phrase('all'),
  active: () => term('active'),
  ended: () => phrase('ended'),
  failed: () => term('failed'),
} as const satisfies Record<JobState, () => string>;

export function readFilters(query: URLSearchParams): JobFilters {
  const text = (name: string) => query.get(name) ?? '';
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? text(name) : '');
  return {
    state: jobStates.find((state) => state === text('state')) ?? 'all',
    hpc: text('hpc'),
    project: text('hpc') === '' ? '' : text('project'),
    title: text('title'),
    since: day('since'),
    until: day('until'),
    sort: writeSorting(readSorting(text('sort'))),
  };
}

/** Tells whether the filters leave any job out. */
export function isNarrowed({ sort: _, state, ...others }: JobFilters): boolean {
  return state !== 'all' || Object.values(others).some((value) => value !== '');
}

/** Writes the filters for an address. The default is left out. */
export function writeFilters({ state, ...others }: JobFilters): Record<string, string | undefined> {
  return { ...others, state: state === 'all' ? undefined : state };
}

const asked = {
  all: {},
  active: { terminal: false },
  ended: { terminal: true },
  failed: { failed: true },
} as const satisfies Record<JobState, object>;

/** Turns the filters into a request, the newest first. The list is sorted in the browser. */
export function askFor({ state, hpc, project, title, since, until }: JobFilters) {
  return {
    order: 'desc' as const,
    ...asked[state],
    ...(hpc !== '' && { hpc }),
    ...(project !== '' && { project_name: project }),
    ...(title !== '' && { title }),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
  };
}
