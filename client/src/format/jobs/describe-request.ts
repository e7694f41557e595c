import type { JobWithRequest } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { writeSize } from '../amounts/amounts.ts';
import { writeCount } from '../numbers/write-number.ts';
import { describeResources } from './describe-resources.ts';

/** What a job asked for, as the service keeps it. */
export type JobRequest = NonNullable<JobWithRequest['request']>;

/** Returns the command or the tool of a job. */
export function programOf({ command, tool }: JobRequest): string {
  return command ?? tool ?? '';
}

/** Describes what a job runs on: `2 nodes with 24 cores each, 64 GB, class gpu`. */
export function describeNodes(request: JobRequest): string {
  const { node_number: nodes, core_number: cores } = request;
  const resources = describeResources(request);
  const own = phrase('request.nodes', {
    count: nodes,
    nodes: writeCount(nodes, 'node'),
    cores: writeCount(cores, 'core'),
  });
  return resources === '' ? own : `${own}, ${resources}`;
}

/** Describes the zip: `study.zip, 3.1 MB`. */
export function describeInput({ input }: JobRequest): string {
  return input === null
    ? phrase('request.noInput')
    : `${input.filename}, ${writeSize(input.length)}`;
}
