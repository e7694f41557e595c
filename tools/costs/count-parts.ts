import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import {
  findAll,
  type Resource,
  type TemplateJson,
  type Templates,
} from '#tools/stacks/templates.ts';
import { type Context, production, synthesizeVariant } from '../stacks/make-app.ts';

/** Parts of a deployment whose monthly cost does not depend on requests. */
export type Parts = Readonly<ReturnType<typeof countParts>>;

const minutesPerMonth = 30 * 24 * 60;

/** The problems of docs/problems.md that callers meet in a normal month. */
const usualReasons = 17;

/** Counts the parts in the templates of all stacks. */
export function countParts(templates: Templates, catalog: Catalog) {
  const all = (type: string): Resource[] =>
    Object.values<TemplateJson>({ ...templates }).flatMap((template) =>
      findAll(template, type).map(([, resource]) => resource),
    );
  const alarms = all('AWS::CloudWatch::Alarm');
  return {
    alarms: alarms.length,
    /** Alarms are billed by the metrics that they watch. */
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + countMetrics(Properties), 0),
    dashboards: all('AWS::CloudWatch::Dashboard').length,
    keys: all('AWS::KMS::Key').length,
    secrets: all('AWS::SecretsManager::Secret').length,
    /** Billed only by the bytes written. */
    logGroups: all('AWS::Logs::LogGroup').length,
    /** Scheduled runs of functions in a month. */
    scheduledRuns: all('AWS::Events::Rule').reduce(
      (sum, { Properties }) => sum + countRuns(Properties.ScheduleExpression),
      0,
    ),
    /** Whether Lambda logs scheduled runs that succeed. They write nothing themselves. */
    logsSchedules: Object.values<TemplateJson>({ ...templates }).some((template) =>
      logsSchedules(template, templates.service),
    ),
    /** Whether X-Ray traces the functions. */
    traced: all('AWS::Lambda::Function').some(({ Properties }) => isTraced(Properties)),
    customMetrics: countCustomMetrics(catalog),
  };
}

function countMetrics({ Metrics }: Resource['Properties']): number {
  if (!Array.isArray(Metrics)) return 1;
  return Metrics.filter((metric) => 'MetricStat' in metric).length;
}

const Quiet = v.object({ LoggingConfig: v.object({ SystemLogLevel: v.literal('WARN') }) });

/** Rules are in a nested stack, whose parameters name the functions of the whole one. */
function logsSchedules(rules: TemplateJson, { Resources }: TemplateJson): boolean {
  const targets = findAll(rules, 'AWS::Events::Rule')
    .filter(([, { Properties }]) => countRuns(Properties.ScheduleExpression) > 0)
    .map(([, { Properties }]) => JSON.stringify(Properties.Targets));
  return Object.entries(Resources).some(
    ([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' &&
      !v.is(Quiet, Properties) &&
      targets.some((target) => target.includes(id)),
  );
}

const Traced = v.object({ TracingConfig: v.object({ Mode: v.literal('Active') }) });

function isTraced(properties: unknown): boolean {
  return v.is(Traced, properties);
}

function countRuns(expression: unknown): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(expression)) ?? [];
  if (count === undefined || unit === undefined) return 0;
  const minutes = { minute: 1, hour: 60, day: 24 * 60 }[unit];
  return minutes === undefined ? 0 : minutesPerMonth / (Number(count) * minutes);
}

/** Counts the metrics of lib/telemetry/metrics.ts, one per combination of dimensions. */
function countCustomMetrics({ systems }: Catalog) {
  const stages = systems.flatMap(({ stages: { living, succeeded, failed } }) => [
    ...living,
    ...succeeded,
    ...failed,
    ...Object.values(ownStages),
  ]);
  // Submissions, the oldest due job and the stages of each system, the reasons of refusals, and the
  // largest partition. Metrics about faults are written only when there are some.
  return { always: 0, withJobs: 2 * systems.length + stages.length + usualReasons + 1 };
}

/** Counts the parts of a stage with the catalog that ships, by default of `prod`. */
export function countShipped(context: Context = production): Parts {
  return countParts(synthesizeVariant(context), readCatalog());
}
