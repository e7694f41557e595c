import * as z from 'zod';
import { readDuration } from '../../../format/read-duration.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo } from '../../outcome/outcome.ts';

const InlineFile = z.strictObject({
  name: z.string().max(255).describe('relative, such as main.py or data/input.txt'),
  content: z.string().describe('its text'),
});

export type InlineFile = z.infer<typeof InlineFile>;

const mostFiles = 100;
const mostCharacters = 1_000_000;

/** Fields that have a place of their own: a second one could say something else. */
const named = ['command', 'tool', 'node_number', 'core_number', 'runtime', 'title'];

export const SubmissionInput = z.strictObject({
  hpc: z.string().describe('the HPC system; the tool systems lists them'),
  project: z.string().optional().describe('the project that pays; without it, the default one'),
  command: z.string().optional().describe('what to run, on a system that takes commands'),
  tool: z.string().optional().describe('what to run, on a system that takes tools'),
  nodes: z.int().min(1).default(1),
  cores: z.int().min(1).default(1).describe('on each node'),
  time: z.string().default('30m').describe('how long it may run, with its unit: 30m, 2h30m, 1d'),
  title: z.string().max(200).optional().describe('what to call it'),
  fields: z
    .record(z.string(), z.string())
    .refine((fields) => named.every((name) => !(name in fields)), {
      error: `These have parameters of their own: ${named.join(', ')}.`,
    })
    .optional()
    .describe('other fields that the system takes, by their names'),
  folder: z
    .string()
    .optional()
    .describe('a folder whose files the job gets; relative to the folder that is open to you'),
  files: z
    .array(InlineFile)
    .min(1)
    .max(mostFiles)
    .refine(
      (files) => files.reduce((sum, file) => sum + file.content.length, 0) <= mostCharacters,
      {
        error: `They may have ${mostCharacters} characters in all. Put them into a folder instead.`,
      },
    )
    .optional()
    .describe('the files that the job gets, instead of a folder'),
});

export type SubmissionInput = z.infer<typeof SubmissionInput>;

export function readSubmission(asked: SubmissionInput, signal: AbortSignal): SubmissionOnNode {
  const { hpc, project, command, tool, nodes, cores, time, title, fields } = asked;
  const seconds = readDuration(time);
  if (seconds === undefined || seconds <= 0) {
    throw new CannotDo(`'${time}' is no time.`, {
      next: 'Write a time with its unit, such as 30m, 2h30m or 1d.',
    });
  }
  if ((command ?? tool) === undefined) {
    throw new CannotDo('Nothing says what to run.', {
      next: 'Give a command or a tool: systems says which one a system takes.',
    });
  }
  return {
    hpc: hpc.toLowerCase(),
    project_name: project,
    command,
    tool,
    nodes,
    cores,
    runtime: seconds / 3600,
    title,
    fields,
    signal,
  };
}
