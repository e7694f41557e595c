import type { Project } from '#client/src/index.ts';

/** What somebody looks for, by how it is written. */
export type Search =
  | { readonly kind: 'person'; readonly user: string }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'projects'; readonly projects: readonly Project[] };

const jobId = /^([A-Z0-9_-]*-)?[0-9A-F]{32}$|^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

/** A number is a person, a whole job id a job, and everything else part of a project's name. */
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
