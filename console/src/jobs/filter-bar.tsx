import { useEffect, useState } from 'preact/hooks';
import { addressOf, goTo, systemOf, withQuery } from '../browser/address.ts';
import { catalog, systemNames } from '../live/catalog.ts';
import { Chips } from '../parts/chips.tsx';
import { Choice } from '../parts/form.tsx';

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
  const projects = (catalog.value?.projects ?? [])
    .filter((project) => systemOf(project) === filters.hpc)
    .map(({ project_name: name }) => name);
  return (
    <div class="filters">
      <Chips
        label="Stage"
        values={jobStates}
        current={filters.state}
        addressOf={(state) => addressWith({ state })}
      />
      {!placed && (
        <Choice
          label="System"
          value={filters.hpc}
          all="all systems"
          values={systemNames()}
          onValue={(hpc) => goTo(addressWith({ hpc, project: '' }))}
        />
      )}
      {projects.length > 1 && (
        <Choice
          label="Project"
          value={filters.project}
          all="all projects"
          values={projects}
          onValue={(project) => goTo(addressWith({ project }))}
        />
      )}
      <TitleSearch
        title={filters.title}
        onSearch={(title) => goTo(addressWith({ title }), { instead: true })}
      />
    </div>
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
  return (
    <input
      type="search"
      aria-label="Search titles"
      placeholder="Search titles (/)"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

/** The filters, as the address has them. */
interface JobFilters {
  readonly state: JobState;
  readonly hpc: string;
  readonly project: string;
  readonly title: string;
}

const jobStates = ['all', 'active', 'ended', 'failed'] as const;

type JobState = (typeof jobStates)[number];

export function readFilters(query: URLSearchParams): JobFilters {
  const text = (name: string) => query.get(name) ?? '';
  return {
    state: jobStates.find((state) => state === text('state')) ?? 'all',
    hpc: text('hpc'),
    project: text('hpc') === '' ? '' : text('project'),
    title: text('title'),
  };
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

/** Turns the filters into a request, the newest first. */
export function askFor({ state, hpc, project, title }: JobFilters) {
  return {
    order: 'desc' as const,
    ...asked[state],
    ...(hpc !== '' && { hpc }),
    ...(project !== '' && { project_name: project }),
    ...(title !== '' && { title }),
  };
}
