import { useEffect, useState } from 'preact/hooks';
import { goTo } from '../browser/address.ts';
import { addressOf, systemOf, withQuery } from '../browser/routes.ts';
import type { Catalog } from '../connection/use-catalog.ts';

const pauseMs = 250;

/** Shows the filters as links to the same list, so that they can be shared and undone. */
export function FilterBar({
  filters,
  catalog,
  list = addressOf.jobs,
  also,
}: {
  readonly filters: JobFilters;
  readonly catalog: Catalog | undefined;
  /** The address of the list. */
  readonly list?: string;
  /** Other filters of the list, which are kept. */
  readonly also?: Readonly<Record<string, string>>;
}) {
  const addressWith = (change: Partial<JobFilters>) =>
    withQuery(list, { ...also, ...writeFilters({ ...filters, ...change }) });
  const projects = (catalog?.projects ?? []).filter((project) => systemOf(project) === filters.hpc);
  return (
    <div class="filters">
      <nav class="chips" aria-label="Stage">
        {jobStates.map((state) => (
          <a
            key={state}
            class="chip"
            href={addressWith({ state })}
            aria-current={state === filters.state ? 'true' : undefined}
          >
            {state}
          </a>
        ))}
      </nav>
      <label class="inline">
        <span class="said">System</span>
        <select
          value={filters.hpc}
          onChange={({ currentTarget }) =>
            goTo(addressWith({ hpc: currentTarget.value, project: '' }))
          }
        >
          <option value="">all systems</option>
          {catalog?.systems.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {projects.length > 1 && (
        <label class="inline">
          <span class="said">Project</span>
          <select
            value={filters.project}
            onChange={({ currentTarget }) => goTo(addressWith({ project: currentTarget.value }))}
          >
            <option value="">all projects</option>
            {projects.map(({ project_name: name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <TitleSearch
        title={filters.title}
        onSearch={(title) => goTo(addressWith({ title }), { instead: true })}
      />
    </div>
  );
}

function TitleSearch({
  title,
  onSearch,
}: {
  readonly title: string;
  readonly onSearch: (title: string) => void;
}) {
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
