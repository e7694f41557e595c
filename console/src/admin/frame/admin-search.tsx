import { useId, useState } from 'preact/hooks';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import type { Job, Project, User } from '#client/src/index.ts';
import { adminAddress, goTo, systemOf } from '../../browser/address.ts';
import { useService } from '../../connection/session.ts';
import { Form } from '../../parts/form.tsx';
import { ProblemNote } from '../../parts/loading.tsx';
import { UserName } from '../parts/user-name.tsx';
import { phrase } from './words.ts';

/** Finds a person, job or project from any page. */
export function AdminSearch() {
  const service = useService();
  const [projects, setProjects] = useState<readonly Project[]>([]);
  const listId = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Project[]>();
  const [people, setPeople] = useState<readonly User[]>([]);
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const clear = () => {
    setJobs([]);
    setFound(undefined);
    setPeople([]);
  };
  const leave = (address: string) => {
    setText('');
    clear();
    goTo(address);
  };
  const findJob = async (jobId: string) => {
    const [job] = await service.listAllJobs({ job_id: jobId });
    if (job) leave(adminAddress.job(job));
    else setSaid(phrase('noSuchJob'));
  };
  /** The service finds whole ids only, so the beginnings are compared with the newest jobs. */
  const findByStart = async (start: string) => {
    const newest = service.listAllJobs({ order: 'desc', limit: 1000 });
    const matching: Job[] = [];
    let read = 0;
    for await (const job of newest) {
      read += 1;
      if (startsWith(job.job_id, start)) matching.push(job);
      if (read >= mostRead || matching.length >= mostFound) break;
    }
    const [only, ...others] = matching;
    if (only && others.length === 0) return leave(adminAddress.job(only));
    setJobs(matching);
    if (!only) {
      setSaid(phrase('noNewJob', { count: read }));
    }
  };
  const find = async () => {
    setSaid('');
    clear();
    setError(undefined);
    if (text.trim() === '') return;
    const search = readSearch(text, await service.listProjects());
    if (search.kind === 'person') return leave(adminAddress.person(search.user));
    if (search.kind === 'job') return findJob(search.jobId);
    const called = await service.listUsers({
      search: text.trim().slice(0, mostLetters),
      limit: mostFound,
    });
    const addresses = [
      ...search.projects.map((project) => adminAddress.project(project)),
      ...called.map(({ user }) => adminAddress.person(user)),
    ];
    const [only, ...others] = addresses;
    if (only !== undefined && others.length === 0) return leave(only);
    setFound(search.projects);
    setPeople(called);
    if (only !== undefined) return;
    if (shortId.test(text.trim().toUpperCase())) return findByStart(text.trim().toUpperCase());
    setSaid(phrase('noResults'));
  };
  return (
    <search class="find">
      <Form onSubmit={() => find().catch(setError)}>
        <input
          data-find
          aria-label={phrase('findAnything')}
          placeholder={phrase('findByKey')}
          list={listId}
          autocomplete="off"
          value={text}
          onFocus={() => service.listProjects().then(setProjects, setError)}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <datalist id={listId}>
          {projects.map(({ project_name: name, project_hpc: hpc }) => (
            <option key={`${hpc}/${name}`} value={name} />
          ))}
        </datalist>
        <button type="submit">{phrase('find')}</button>
      </Form>
      {said !== '' && (
        <p class="quiet" role="status">
          {said}
        </p>
      )}
      {error !== undefined && <ProblemNote error={error} />}
      {people.length > 0 && (
        <ul class="line">
          {people.map(({ user, name, email }) => (
            <li key={user}>
              <a href={adminAddress.person(user)} onClick={() => setPeople([])}>
                {user}
              </a>
              <UserName name={name ?? email} />
            </li>
          ))}
        </ul>
      )}
      {jobs.length > 0 && (
        <ul class="line">
          {jobs.map((job) => (
            <li key={job.job_id}>
              <a href={adminAddress.job(job)} onClick={() => setJobs([])}>
                {writeShortId(job.job_id)}
              </a>{' '}
              <span class="quiet">{phrase('titleBy', { title: job.title, owner: job.owner })}</span>
            </li>
          ))}
        </ul>
      )}
      {found && found.length > 0 && (
        <ul class="line">
          {found.map((project) => (
            <li key={project.id}>
              <a href={adminAddress.project(project)} onClick={() => setFound(undefined)}>
                {project.project_name}
              </a>{' '}
              <span class="quiet">{systemOf(project)}</span>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Jobs whose ids are compared, and those that are listed. */
const mostRead = 5000;
const mostFound = 10;
const mostLetters = 100;

const shortId = /^[0-9A-F-]{4,}$/;

/** Compares with the whole id, and with the short one that all lists show. */
export function startsWith(id: string, start: string): boolean {
  return id.startsWith(start) || writeShortId(id).startsWith(start);
}

/** A search, by the kind of its result. */
type Search =
  | { readonly kind: 'person'; readonly user: string }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'projects'; readonly projects: readonly Project[] };

const jobId = /^([A-Z0-9_-]*-)?[0-9A-F]{32}$|^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

/** Takes a number for a user, a whole job id for a job, and anything else for part of a project's name. */
export function readSearch(text: string, projects: readonly Project[]): Search {
  const wanted = text.trim();
  if (/^\d+$/.test(wanted)) return { kind: 'person', user: wanted };
  if (jobId.test(wanted.toUpperCase())) return { kind: 'job', jobId: wanted.toUpperCase() };
  const name = wanted.toLowerCase();
  const exact = projects.filter(({ project_name: each }) => each === name);
  return {
    kind: 'projects',
    projects:
      exact.length > 0 ? exact : projects.filter(({ project_name: each }) => each.includes(name)),
  };
}
