import { writeBucket } from '#lib/catalog/bucket-addresses.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import { longestRuntime } from '#lib/catalog/grant-runtime.ts';
import {
  type Charging,
  type HpcSystem,
  hasLiveOutput,
  listSetup,
  listStages,
  type Project,
  shellOf,
  wordOfCharging,
} from '#lib/catalog/hpc-system.ts';
import { listImages } from '#lib/catalog/images.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { coresAsIn, offerIn, offersTasks, writeMemory } from '#lib/catalog/resources.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import { meaningsOfStages } from '#lib/catalog/stage-meanings.ts';
import { hasPrice, microsPerDollar } from '#lib/charging/price-job.ts';
import type { SystemDay } from '#lib/hpc/breaker/system-days.ts';
import type { SystemReport } from '#lib/hpc/breaker/system-health.ts';
import { findMachine, runsInSandbox } from '#lib/hpc/machine/this-machine.ts';
import { estimateMonth, type Spending } from '#lib/spending/judge-spending.ts';
import { findClosure } from '#lib/systems/judge-maintenance.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { presentWindows } from './present-maintenance.ts';
import { float, timestamp } from './values.ts';

export function presentSystem(system: HpcSystem, windows: readonly MaintenanceWindow[] = []) {
  const { name, description, announcement, projects, program, extraFields, charging } = system;
  const { gpuKinds, datasets, keep, containers } = system;
  return {
    name,
    project_hpc: name.toUpperCase(),
    description,
    ...(announcement !== undefined && { announcement }),
    ...presentWindows(windows),
    projects: projects.map((project) => project.name),
    default_project: defaultProject(system).name,
    payload: {
      required: [program.field, 'node_number', 'core_number', 'runtime'],
      optional: ['title', ...listOffered(system), ...extraFields.map((field) => field.name)],
    },
    limits: presentLimits(system, undefined),
    charging: wordOfCharging(charging),
    ...presentWeights(charging),
    ...(gpuKinds && { gpu_kinds: gpuKinds }),
    ...presentClasses(system),
    ...(datasets && { datasets }),
    ...(keep && { keep: presentKeep(keep) }),
    ...presentAddressees(system),
    ...(containers && {
      containers: { runtime: containers.runtime, images: listImages(system) },
    }),
    simulated: traitsOf(system).simulated,
    ...presentMachine(system),
    ...presentCores(system, undefined),
    ...presentEnvironment(system),
    live_output: hasLiveOutput(system),
    cancel_keeps_output: traitsOf(system).cancelKeepsOutput,
    stages: listStages(system),
    stage_meanings: meaningsOfStages(system),
  };
}

/** From where inputs are fetched, and where jobs may send outputs. */
function presentAddressees(system: HpcSystem) {
  const { inputs, outputs } = system;
  const present = ({ hosts, buckets = [], paidBy = 'site' }: NonNullable<typeof inputs>) => ({
    hosts,
    ...(buckets.length > 0 && { buckets: buckets.map(writeBucket) }),
    paid_by: paidBy,
  });
  return {
    ...(inputs && {
      inputs: { ...present(inputs), fetched_by: serviceFetches(system) ? 'service' : 'job' },
    }),
    ...(outputs && { outputs: present(outputs) }),
  };
}

/** Lists the fields of a payload that only some systems offer. */
function listOffered(system: HpcSystem): string[] {
  const { memoryPerNode, gpusPerNode, gpuKinds, classes, inputs, outputs, containers } = system;
  return [
    ...(offersTasks(system) ? ['task_number'] : []),
    ...(memoryPerNode === undefined ? [] : ['memory']),
    ...(gpusPerNode === undefined ? [] : ['gpu_number']),
    ...(gpuKinds ? ['gpu_kind'] : []),
    ...(classes ? ['class'] : []),
    ...(inputs ? ['inputs'] : []),
    ...(outputs ? ['outputs'] : []),
    ...(containers ? ['image'] : []),
  ];
}

function presentLimits(system: HpcSystem, className: string | undefined) {
  const offer = offerIn(system, className);
  const { nodes, coresPerNode, memoryPerNode, gpusPerNode } = offer;
  return {
    node_number: nodes,
    core_number: coresPerNode,
    runtime: float(longestRuntime(offer)),
    ...(memoryPerNode !== undefined && { memory: writeMemory(memoryPerNode * 1000) }),
    ...(system.gpusPerNode !== undefined && { gpu_number: gpusPerNode }),
  };
}

function presentWeights(charging: Charging) {
  if (typeof charging === 'string') return {};
  const { core = 0, gpu = 0, memoryGb = 0 } = charging.per;
  return {
    weights: {
      per: { core: float(core), gpu: float(gpu), memory_gb: float(memoryGb) },
      rule: charging.rule,
    },
  };
}

function presentClasses(system: HpcSystem) {
  const { classes } = system;
  if (!classes) return {};
  return {
    classes: classes.map(({ name, description, projects, setup }) => {
      const { charging, chargingFactor } = offerIn(system, name);
      return {
        name,
        ...(description !== undefined && { description }),
        ...(projects && { projects }),
        ...(setup && { setup }),
        ...presentCores(system, name),
        limits: presentLimits(system, name),
        ...presentWeights(charging),
        charging_factor: float(chargingFactor),
      };
    }),
  };
}

function presentCores(system: HpcSystem, className: string | undefined) {
  const coresAs = coresAsIn(system, className);
  return coresAs && { cores_as: coresAs };
}

/** Says what commands find when they begin, on systems that start them in a shell. */
function presentEnvironment(system: HpcSystem) {
  const shell = shellOf(system);
  return shell && { environment: { shell, setup: listSetup(system) } };
}

/** Describes the machine that the jobs of a system run on, if it is the one of this process. */
function presentMachine(system: HpcSystem) {
  const { connector } = system;
  const found = findMachine();
  if (!found || connector.kind !== 'machine') return {};
  const { cores, memoryMegabytes = Number.POSITIVE_INFINITY, tools } = connector;
  return {
    machine: {
      cores: Math.min(found.cores, cores ?? found.cores),
      memory_megabytes: Math.min(Math.floor(found.memoryBytes / 1_000_000), memoryMegabytes),
      limits: found.limits.sentence,
      sandboxed: runsInSandbox(system, found),
      ...(tools && { tools: found.listTools(system) }),
    },
  };
}

export function presentProject(system: HpcSystem, project: Project) {
  return {
    id: project.number,
    project_hpc: system.name.toUpperCase(),
    project_name: project.name,
    default: project === defaultProject(system),
    max_living_jobs: project.maxLivingJobs,
    ...(project.description !== undefined && { description: project.description }),
    ...(project.closed !== undefined && { closed: project.closed }),
    ...(project.shared && { shared: true }),
    ...(project.members && { members: project.members }),
  };
}

export function projectLocation({ hpc, name }: Project): string {
  return `/projects/${hpc}/${name}/`;
}

/** Says `up` even if systems are down, because submissions do not wait for their HPC system. */
export function presentStatus(
  systems: readonly HpcSystem[],
  reports: ReadonlyMap<string, SystemReport>,
  { version, now }: { readonly version: string; readonly now: Date },
) {
  return {
    status: 'up',
    version,
    systems: systems.map(({ name }) => ({
      name,
      project_hpc: name.toUpperCase(),
      ...presentState(reports.get(name), now),
    })),
  };
}

/** A system in maintenance may well be down, and nobody needs to worry. */
function presentState(report: SystemReport | undefined, now: Date) {
  const closure = findClosure(report?.windows ?? [], now);
  if (!closure) return { status: report?.state ?? 'unknown' };
  return { status: 'closed', closed_until: closure.until ? timestamp(closure.until) : null };
}

/** What jobs on systems with a price cost this month, and the budget in US dollars. */
export interface MonthReport extends Spending {
  readonly budget: number | undefined;
  readonly opensAt: Date;
}

function presentSpending({ budget, opensAt, ...spending }: MonthReport) {
  return {
    estimate: estimateMonth(spending) / microsPerDollar,
    used: spending.used / microsPerDollar,
    held: spending.held / microsPerDollar,
    budget: budget ?? null,
    opens_at: timestamp(opensAt),
  };
}

export interface SystemsKnown {
  readonly reports: ReadonlyMap<string, SystemReport>;
  readonly history?: ReadonlyMap<string, readonly SystemDay[]> | undefined;
  readonly month?: MonthReport | undefined;
  readonly now: Date;
}

/** Tells administrators also since when a system is down, its last error and its last days. */
export function presentSystemReports(
  systems: readonly HpcSystem[],
  { reports, history, month, now }: SystemsKnown,
) {
  return systems.map((system) => {
    const { name } = system;
    const report = reports.get(name);
    const { failures = 0, openUntil, failingSince, lastError } = report?.breaker ?? {};
    return {
      name,
      project_hpc: name.toUpperCase(),
      status: presentState(report, now).status,
      ...presentWindows(report?.windows),
      last_contact: report?.lastContact ? timestamp(report.lastContact) : null,
      failing_since: failingSince ? timestamp(failingSince) : null,
      breaker: {
        state: report?.phase ?? 'closed',
        failures,
        open_until: openUntil ? timestamp(openUntil) : null,
      },
      last_error: lastError ? { at: timestamp(lastError.at), reason: lastError.reason } : null,
      ...(history && { history: history.get(name) ?? [] }),
      ...(month && hasPrice(system) && { spending: presentSpending(month) }),
    };
  });
}

function presentKeep({ maxKilobytes, projects }: NonNullable<HpcSystem['keep']>) {
  return { limit: maxKilobytes * 1000, ...(projects && { projects }) };
}
