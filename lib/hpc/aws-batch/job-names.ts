import type { JobTag } from '../connector.ts';

/**
 * The names of jobs on AWS Batch, by which they are found again. A job of its own is named by its
 * job id. A job of a batch is named by its array and its task, and an array by its first task. So
 * one list with the array's name has all of them, however they were handed over.
 */
export function nameOfJob({ jobId, array }: JobTag): string {
  return array ? `${array.name}_${array.task}` : jobId;
}

/** The value of a JOB_NAME filter that matches the job and what may contain it. */
export function filterFor({ jobId, array }: JobTag): string {
  return array ? `${array.name}_*` : jobId;
}

/** A task of an array, as Slipway counts it. */
export interface NamedTask {
  readonly array: string;
  readonly task: number;
}

/** Reads the name of a job. Returns undefined for a job that is not of a batch. */
export function readName(name: string, index = 0): NamedTask | undefined {
  const [, array, first] = /^(.+)_(\d+)$/.exec(name) ?? [];
  if (array === undefined) return undefined;
  return { array, task: Number(first) + index };
}

/** Returns the id of a child, as AWS Batch writes it. */
export function handleOfChild(parent: string, index: number): string {
  return `${parent}:${index}`;
}

/** Returns the id of the array that a handle belongs to, or undefined for a job of its own. */
export function parentOf(handle: string): string | undefined {
  const [parent, index] = handle.split(':');
  return index === undefined ? undefined : parent;
}
