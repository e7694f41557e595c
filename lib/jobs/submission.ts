import { createHash } from 'node:crypto';
import type { HpcSystem, Project } from '../catalog/hpc-system.ts';

/** A submission in which nothing is left to check but the quota. */
export interface Submission {
  readonly owner: string;
  readonly system: HpcSystem;
  readonly project: Project;
  /** The command, or the name of the tool. */
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  /** Hours, as asked for. */
  readonly requestedRuntime: number;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
  readonly input: { readonly fileName: string; readonly bytes: number; readonly sha256: string };
}

/** The hours that a job gets: a longer wish is cut to what its system grants, not refused. */
export function grantRuntime(system: HpcSystem, requested: number): number {
  return Math.min(requested, system.grantableRuntime);
}

/** Equal for two submissions that mean the same, however their headers were written. */
export function fingerprintSubmission(submission: Submission): string {
  const { owner, system, project, program, nodes, coresPerNode, extras, input } = submission;
  const sortedExtras = Object.entries(extras).sort(([a], [b]) => (a < b ? -1 : 1));
  const meaning = [
    owner,
    system.name,
    project.name,
    program,
    nodes,
    coresPerNode,
    submission.requestedRuntime,
    submission.title,
    sortedExtras,
    input.fileName,
    input.sha256,
  ];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex');
}
