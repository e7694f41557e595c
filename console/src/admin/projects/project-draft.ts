/** A project as an administrator writes it; nothing leaves a field as it is. */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly mostJobs: string;
}

export interface ReadProject {
  readonly problems: ReadonlyMap<string, string>;
  readonly body: { readonly description?: string; readonly max_living_jobs?: number };
}

export function readProject(
  { name, description, mostJobs }: ProjectDraft,
  before: { readonly description?: string | undefined } = {},
): ReadProject {
  const problems = new Map<string, string>();
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) {
    problems.set(
      'any_project_name',
      'Begin with a lower-case letter; then letters, digits and _, up to 63 in all.',
    );
  }
  const most = mostJobs.trim();
  if (most !== '' && !/^[1-9]\d{0,6}$/.test(most)) {
    problems.set('max_living_jobs', 'Write a whole number from 1, or nothing.');
  }
  return {
    problems,
    body: {
      ...(description !== (before.description ?? '') && { description }),
      ...(most !== '' && { max_living_jobs: Number(most) }),
    },
  };
}
