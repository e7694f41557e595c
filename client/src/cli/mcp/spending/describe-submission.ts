import { writeDuration } from '../../../format/write-duration.ts';
import { type Charging, writeRest } from '../../../format/write-node-time.ts';
import type { Estimate } from '../../../index.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { cutText } from '../../screen/measure-text.ts';

const widest = 200;

/** What the person who is asked has to know. An assistant wrote it: it must not look like more. */
export function describeSubmission(
  { hpc, project_name: project, nodes, cores, title, command, tool, filename }: SubmissionOnNode,
  { runtime, left }: Estimate,
  charging: Charging,
): string[] {
  const show = (text: string) => cutText(cleanText(text), widest);
  const place = project === undefined ? show(hpc) : `${show(hpc)} / ${show(project)}`;
  return [
    `Where: ${place}, ${count(nodes, 'node')} with ${count(cores, 'core')} each, for ${writeDuration(runtime * 3600)}`,
    `What: ${show(command ?? tool ?? '')}`,
    ...(title === undefined ? [] : [`Title: ${show(title)}`]),
    ...(filename === undefined ? [] : [`Files: ${show(filename)}`]),
    `Your quota has ${writeRest(left.time, charging)} left after it.`,
  ];
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}
