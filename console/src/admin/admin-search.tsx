import { useId, useState } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { adminAddress, goTo, systemOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { Form } from '../parts/form.tsx';
import { ProblemNote } from '../parts/loading.tsx';

/** Finds a person, job or project from any page. */
export function AdminSearch() {
  const service = useService();
  const [projects, setProjects] = useState<readonly Project[]>([]);
  const listId = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Project[]>();
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>();
  const leave = (address: string) => {
    setText('');
    setFound(undefined);
    goTo(address);
  };
  const findJob = async (jobId: string) => {
    const [job] = await service.listAllJobs({ job_id: jobId });
    if (job) leave(adminAddress.job(job));
    else setSaid('No job has this id. New jobs can take a moment to appear.');
  };
  const find = async () => {
    setSaid('');
    setFound(undefined);
    setError(undefined);
    if (text.trim() === '') return;
    const search = readSearch(text, await service.listProjects());
    if (search.kind === 'person') return leave(adminAddress.person(search.user));
    if (search.kind === 'job') return findJob(search.jobId);
    const [only, ...others] = search.projects;
    if (only && others.length === 0) return leave(adminAddress.project(only));
    setFound(search.projects);
    if (!only) setSaid('No results. Enter a user number, a whole job id or a project.');
  };
  return (
    <search class="find">
      <Form onSubmit={() => find().catch(setError)}>
        <input
          data-find
          aria-label="Find a person, job or project"
          placeholder="Find a person, job or project (f)"
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
        <button type="submit">Find</button>
      </Form>
      {said !== '' && (
        <p class="quiet" role="status">
          {said}
        </p>
      )}
      {error !== undefined && <ProblemNote error={error} />}
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
