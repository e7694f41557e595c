import { useId, useState } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { goTo } from '../../address/address.ts';
import { adminAddress } from '../../address/admin-address.ts';
import { systemOf } from '../../address/system-of.ts';
import type { Session } from '../../connection/session.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { readSearch } from './read-search.ts';

/** Finds a person, a job or a project, from anywhere. */
export function AdminSearch({ session }: { readonly session: Session }) {
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
    const [job] = await session.service.listAllJobs({ job_id: jobId });
    if (job) leave(adminAddress.job(job));
    else setSaid('There is no such job; one that was submitted just now may come a moment later.');
  };
  const find = async () => {
    setSaid('');
    setFound(undefined);
    setError(undefined);
    if (text.trim() === '') return;
    const search = readSearch(text, await session.service.listProjects());
    if (search.kind === 'person') return leave(adminAddress.person(search.user));
    if (search.kind === 'job') return findJob(search.jobId);
    const [only, ...others] = search.projects;
    if (only && others.length === 0) return leave(adminAddress.project(only));
    setFound(search.projects);
    if (!only) setSaid('Nothing. Write a number of a user, a whole job id, or a project.');
  };
  return (
    <search class="find">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          find().catch(setError);
        }}
      >
        <input
          data-find
          aria-label="Find a person, a job or a project"
          placeholder="Find a person, a job or a project  ( f )"
          list={listId}
          autocomplete="off"
          value={text}
          onFocus={() => session.service.listProjects().then(setProjects, setError)}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <datalist id={listId}>
          {projects.map(({ project_name: name, project_hpc: hpc }) => (
            <option key={`${hpc}/${name}`} value={name} />
          ))}
        </datalist>
        <button type="submit">Find</button>
      </form>
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
