import * as z from 'zod';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeSpaceLeft,
} from '../../../format/amounts/amounts.ts';
import { writeCount } from '../../../format/numbers/write-number.ts';
import { describeMaintenance } from '../../../format/systems/describe-maintenance.ts';
import { writeDay } from '../../../format/times/day.ts';
import { writeDuration } from '../../../format/times/duration.ts';
import type { Quota, System } from '../../../index.ts';
import { readCharging } from '../../session/find.ts';
import { cleanText } from '../../terminal/text.ts';
import { BudgetAnswer, presentBudget, presentRest, presentTime, TimeAnswer } from './answers.ts';
import { describeBudget } from './budget.ts';
import { defineTool, hints, noInput } from './tool-set.ts';

const SystemAnswer = z.object({
  hpc: z.string(),
  description: z.string(),
  status: z
    .enum(['up', 'down', 'unknown', 'closed'])
    .describe('jobs wait while the system is down, or closed for maintenance'),
  projects: z.array(z.string()),
  default_project: z.string(),
  required_fields: z.array(z.string()),
  optional_fields: z.array(z.string()),
  most_nodes: z.number(),
  most_cores_per_node: z.number(),
  longest_seconds: z.number().describe('longer time limits are cut to it'),
  unit: z.string().describe('unit of its quotas'),
  classes: z.array(z.string()),
  maintenance: z.array(z.string()).describe('what is announced, in words'),
});

type SystemAnswer = z.infer<typeof SystemAnswer>;

export const systemsTool = defineTool({
  name: 'systems',
  title: 'HPC systems',
  description:
    'Lists the HPC systems with their limits, their projects and the fields that a job needs (a command or a tool). Call this first.',
  input: noInput,
  outputSchema: z.object({ systems: z.array(SystemAnswer) }),
  annotations: hints.reads,
  async run(_, { client, signal }) {
    const [listed, { systems: states }] = await Promise.all([
      client.listSystems({}, { signal }),
      client.readStatus({}, { signal }),
    ]);
    const systems = listed.map((system) =>
      presentSystem(system, states.find(({ name }) => name === system.name)?.status),
    );
    return { data: { systems }, lines: systems.map(writeSystem) };
  },
});

function presentSystem(system: System, status: SystemAnswer['status'] = 'unknown'): SystemAnswer {
  const { limits, payload } = system;
  return {
    hpc: system.name,
    description: system.description,
    status,
    projects: system.projects,
    default_project: system.default_project,
    required_fields: payload.required,
    optional_fields: payload.optional,
    most_nodes: limits.node_number,
    most_cores_per_node: limits.core_number,
    longest_seconds: Math.round(limits.runtime * 3600),
    unit: nameUnit(system.charging),
    classes: (system.classes ?? []).map(({ name }) => name),
    maintenance: (system.maintenance ?? []).map((window) =>
      describeMaintenance(system.name, window, new Date()),
    ),
  };
}

function writeSystem(system: SystemAnswer): string {
  const what = system.required_fields.includes('tool') ? 'a tool' : 'a command';
  const longest = writeDuration(system.longest_seconds);
  return `${system.hpc} (${system.status}): ${system.description} Takes ${what}; up to ${system.most_nodes} nodes with ${system.most_cores_per_node} cores each, ${longest}. Projects: ${system.projects.join(', ')}. ${system.maintenance.join(' ')}`.trimEnd();
}

const QuotaAnswer = z.object({
  hpc: z.string(),
  project: z.string(),
  granted: TimeAnswer,
  left: TimeAnswer,
  reserved: TimeAnswer.describe('reserved by active jobs'),
  used: TimeAnswer,
  space_left_bytes: z.number(),
  valid_until: z.string().nullable(),
  banned: z.string().nullable().describe('reason for the ban, or null if the user may submit'),
});

export const quotasTool = defineTool({
  name: 'quotas',
  title: 'Quotas',
  description:
    'Shows the remaining quota of the user in each project and the remaining budget of this session.',
  input: noInput,
  outputSchema: z.object({ quotas: z.array(QuotaAnswer), budget: BudgetAnswer }),
  annotations: hints.reads,
  async run(_, { client, signal, budget }) {
    const [quotas, chargingOf] = await Promise.all([
      client.listQuotas({ expand: 'usage' }, { signal }),
      readCharging(client),
    ]);
    const listed = quotas.flatMap((quota) => present(quota, chargingOf(quota.project_hpc)));
    return {
      data: {
        quotas: listed.map(({ data }) => data),
        budget: presentBudget(budget, chargingOf()),
      },
      lines: [...listed.map(({ line }) => line), describeBudget(budget, chargingOf())],
    };
  },
});

function present({ usage, ...quota }: Quota, charging: Charging) {
  if (!usage) return [];
  const { time, space, valid_until, banned } = usage;
  const place = { hpc: quota.project_hpc.toLowerCase(), project: quota.project_name };
  const notes = [
    `${writeSpaceLeft(space).left} of space`,
    ...(valid_until === null ? [] : [`until ${writeDay(valid_until)}`]),
    ...(banned === null ? [] : [`banned: ${cleanText(banned)}`]),
  ];
  const left = `${writeLeft(time.left, time.granted)} ${nameUnit(charging)} left`;
  return {
    data: {
      ...place,
      granted: presentTime(time.granted, charging),
      left: presentRest(time.left, charging),
      reserved: presentTime(time.held, charging),
      used: presentTime(time.used, charging),
      space_left_bytes: space.left * 1000,
      valid_until,
      banned,
    },
    line: `${place.project} on ${place.hpc}: ${left} (${notes.join(', ')})`,
  };
}

export const statementTool = defineTool({
  name: 'statement',
  title: 'Statement of a project',
  description:
    'Shows what a project had at the beginning of a month, what was granted and used in it, and what is left, of its budget and all members together. Only for leaders of the project.',
  input: z.strictObject({
    hpc: z.string(),
    project: z.string(),
    month: z.string().optional().describe('such as 2026-11; default: this month'),
  }),
  outputSchema: z.object({
    month: z.string(),
    closed: z.boolean().describe('whether the month is over, so that nothing changes any more'),
    opening: TimeAnswer,
    granted: TimeAnswer,
    used: TimeAnswer,
    reserved: TimeAnswer.describe('by active jobs'),
    closing: TimeAnswer,
    jobs_ended: z.number(),
  }),
  annotations: hints.reads,
  async run({ hpc, project, month }, { client, signal }) {
    const place = { hpc: hpc.toLowerCase(), project_name: project };
    const [statement, chargingOf] = await Promise.all([
      client.getStatement({ ...place, month }, { signal }),
      readCharging(client),
    ]);
    const present = (part: 'opening' | 'granted' | 'used' | 'reserved' | 'closing') =>
      presentTime(statement[part].time, chargingOf(hpc.toUpperCase()));
    const parts = {
      opening: present('opening'),
      granted: present('granted'),
      used: present('used'),
      reserved: present('reserved'),
      closing: present('closing'),
    };
    const { month: of, closed, jobs_ended } = statement;
    return {
      data: { month: of, closed, ...parts, jobs_ended },
      lines: [
        `${project} on ${place.hpc} in ${of}: ${writeCount(jobs_ended, 'job')} ended.`,
        ...Object.entries(parts).map(([part, { text }]) => `${part}: ${text}`),
      ],
    };
  },
});
