import { computed, signal } from '@preact/signals';
import { noteSpot, returnTo, spotOf } from './scroll.ts';

const root = '/console/';

/** The place of a project or a job, as addresses have it. */
export interface ProjectPlace {
  readonly hpc: string;
  readonly project: string;
}

export interface JobPlace extends ProjectPlace {
  readonly jobId: string;
}

export interface BatchPlace extends ProjectPlace {
  readonly batchId: string;
}

/** A page of the console. */
export type Page =
  | { readonly name: (typeof alone)[number] | 'missing' }
  | ({ readonly name: 'job' } & JobPlace)
  | ({ readonly name: 'batch' } & BatchPlace)
  | ({ readonly name: 'ledger' | 'folder' } & ProjectPlace)
  | { readonly name: 'webhook'; readonly webhookId: string }
  | ({ readonly name: 'project'; readonly rest: readonly string[] } & ProjectPlace)
  | { readonly name: 'admin'; readonly rest: readonly string[] };

const alone = [
  'home',
  'jobs',
  'batches',
  'submit',
  'quotas',
  'requests',
  'projects',
  'notifications',
  'webhooks',
] as const;

/** Finds the page for a path below `/console/`. */
export function pageAt(path: string): Page {
  const [name = 'home', ...rest] = path.split('/').filter(Boolean).map(decode);
  const [first = '', second = '', third = ''] = rest;
  switch (`${name} ${rest.length}`) {
    case 'jobs 3':
      return { name: 'job', hpc: first, project: second, jobId: third };
    case 'batches 3':
      return { name: 'batch', hpc: first, project: second, batchId: third };
    case 'quotas 2':
      return { name: 'ledger', hpc: first, project: second };
    case 'quotas 3':
      if (third !== 'folder') break;
      return { name: 'folder', hpc: first, project: second };
    case 'webhooks 1':
      return { name: 'webhook', webhookId: first };
  }
  if (name === 'admin') return { name, rest };
  if (name === 'projects' && rest.length >= 2) {
    return { name: 'project', hpc: first, project: second, rest: rest.slice(2) };
  }
  const known = rest.length === 0 ? alone.find((each) => each === name) : undefined;
  return { name: known ?? 'missing' };
}

/** A page for administrators. */
export type AdminPage =
  | { readonly name: (typeof adminRooms)[number] | 'missing' }
  | { readonly name: 'person'; readonly user: string }
  | ({ readonly name: 'ledger'; readonly user: string } & ProjectPlace)
  | ({ readonly name: 'job' } & JobPlace)
  | ({ readonly name: 'project' } & ProjectPlace);

/** The rooms of the administrators' pages, in the order of their tabs. */
export const adminRooms = [
  'requests',
  'people',
  'grants',
  'jobs',
  'projects',
  'reports',
  'audit',
  'systems',
] as const;

/** Finds the page for the parts of a path below `/console/admin/`. */
export function adminPageAt([name = 'requests', ...rest]: readonly string[]): AdminPage {
  const [first = '', second = '', third = ''] = rest;
  switch (`${name} ${rest.length}`) {
    case 'people 1':
      return { name: 'person', user: first };
    case 'people 3':
      return { name: 'ledger', user: first, hpc: second, project: third };
    case 'jobs 3':
      return { name: 'job', hpc: first, project: second, jobId: third };
    case 'projects 2':
      return { name: 'project', hpc: first, project: second };
  }
  const known = rest.length === 0 ? adminRooms.find((each) => each === name) : undefined;
  return { name: known ?? 'missing' };
}

/** A page about a project, for its leaders. */
export type ProjectRoom =
  | { readonly name: 'project' | 'jobs' | 'report' | 'statement' | 'ledger' | 'missing' }
  | { readonly name: 'job'; readonly jobId: string }
  | { readonly name: 'member'; readonly user: string };

/** Finds the page for the parts of a path below that of a project. */
export function projectRoomAt([name = 'project', ...rest]: readonly string[]): ProjectRoom {
  const [first = ''] = rest;
  switch (`${name} ${rest.length}`) {
    case 'jobs 1':
      return { name: 'job', jobId: first };
    case 'members 1':
      return { name: 'member', user: first };
  }
  const rooms = ['project', 'jobs', 'report', 'statement', 'ledger'] as const;
  const known = rest.length === 0 ? rooms.find((each) => each === name) : undefined;
  return { name: known ?? 'missing' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export interface AnyAccount {
  readonly project_hpc: string;
  readonly project_name: string;
}

interface AnyJob extends AnyAccount {
  readonly job_id: string;
}

interface AnyBatch extends AnyAccount {
  readonly batch_id: string;
}

/** The addresses of pages, for links. */
export const addressOf = {
  home: root,
  jobs: below('jobs'),
  batches: below('batches'),
  submit: below('submit'),
  quotas: below('quotas'),
  requests: below('requests'),
  projects: below('projects'),
  notifications: below('notifications'),
  webhooks: below('webhooks'),
  admin: below('admin'),
  job: (job: AnyJob) => below('jobs', systemOf(job), job.project_name, job.job_id),
  batch: (batch: AnyBatch) => below('batches', systemOf(batch), batch.project_name, batch.batch_id),
  ledger: (account: AnyAccount) => below('quotas', systemOf(account), account.project_name),
  folder: (account: AnyAccount) =>
    below('quotas', systemOf(account), account.project_name, 'folder'),
  webhook: (id: string) => below('webhooks', id),
};

/** The addresses of administrators' pages, for links. */
export const adminAddress = {
  requests: below('admin', 'requests'),
  people: below('admin', 'people'),
  grants: below('admin', 'grants'),
  jobs: below('admin', 'jobs'),
  projects: below('admin', 'projects'),
  reports: below('admin', 'reports'),
  audit: below('admin', 'audit'),
  systems: below('admin', 'systems'),
  person: (user: string) => below('admin', 'people', user),
  ledger: (user: string, account: AnyAccount) =>
    below('admin', 'people', user, systemOf(account), account.project_name),
  job: (job: AnyJob) => below('admin', 'jobs', systemOf(job), job.project_name, job.job_id),
  project: (project: AnyAccount) =>
    below('admin', 'projects', systemOf(project), project.project_name),
};

/** The addresses of leaders' pages about their project, for links. */
export const ledAddress = {
  project: (project: AnyAccount) => belowProject(project),
  jobs: (project: AnyAccount) => belowProject(project, 'jobs'),
  job: (job: AnyJob) => belowProject(job, 'jobs', job.job_id),
  report: (project: AnyAccount) => belowProject(project, 'report'),
  statement: (project: AnyAccount, month?: string) =>
    withQuery(belowProject(project, 'statement'), { month }),
  budgetLedger: (project: AnyAccount) => belowProject(project, 'ledger'),
  ledger: (user: string, account: AnyAccount) => belowProject(account, 'members', user),
};

function belowProject(project: AnyAccount, ...parts: readonly string[]): string {
  return below('projects', systemOf(project), project.project_name, ...parts);
}

/** Returns a place as the service names it. */
export function accountAt({ hpc, project }: ProjectPlace): AnyAccount {
  return { project_hpc: hpc.toUpperCase(), project_name: project };
}

/** Returns the name of a system as people and addresses write it: `hpc_one` for `HPC_ONE`. */
export function systemOf({ project_hpc: hpc }: { readonly project_hpc: string }): string {
  return hpc.toLowerCase();
}

/** Adds a query to an address. Empty values are left out. */
export function withQuery(
  address: string,
  asked: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, value ?? '']));
  return query.size > 0 ? `${address}?${query}` : address;
}

function below(...parts: readonly string[]): string {
  return `${root}${parts.map(encodeURIComponent).join('/')}/`;
}

/** Set by `followLinks`, so that pages can be loaded without a browser around them. */
const shown = signal({ path: '/', search: '' });

/** The page and the query of the current address. */
export const page = computed(() => pageAt(shown.value.path));
export const query = computed(() => new URLSearchParams(shown.value.search));

function read() {
  return { path: location.pathname.slice(root.length - 1), search: location.search };
}

/** Goes to a page of the console. With `instead`, the new address replaces the current one. */
export function goTo(address: string, { instead = false } = {}): void {
  if (instead) history.replaceState(null, '', address);
  else {
    noteSpot();
    history.pushState(null, '', address);
    scrollTo(0, 0);
  }
  shown.value = read();
}

/** Makes plain links between pages change the page without loading the console again. */
export function followLinks(): void {
  shown.value = read();
  // The browser restores the place before the lists are loaded, so the pages do it themselves.
  history.scrollRestoration = 'manual';
  const goBack = (state: unknown) => {
    const spot = spotOf(state);
    if (spot) returnTo(spot);
  };
  goBack(history.state);
  addEventListener('pagehide', noteSpot);
  addEventListener('popstate', ({ state }) => {
    shown.value = read();
    goBack(state);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isOurs(link) || !isPlain(event)) return;
    event.preventDefault();
    goTo(`${link.pathname}${link.search}`);
  });
}

function isOurs({ origin, pathname, target, download }: HTMLAnchorElement): boolean {
  return (
    origin === location.origin && pathname.startsWith(root) && target === '' && download === ''
  );
}

function isPlain(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;
}
