import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import {
  findAll,
  type Resource,
  type TemplateJson,
  type Templates,
} from '#tools/stacks/templates.ts';
import { production, synthesizeVariant } from '../stacks/make-app.ts';

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
    customMetrics: countCustomMetrics(catalog),
  };
}

function countMetrics({ Metrics }: Resource['Properties']): number {
  if (!Array.isArray(Metrics)) return 1;
  return Metrics.filter((metric) => 'MetricStat' in metric).length;
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
  // For each system, its oldest due job and its health. One metric for accounts found wrong.
  const always = 2 * systems.length + 1;
  // Submissions and stages of each system, the reasons of refusals, and the largest partition.
  return { always, withJobs: always + systems.length + stages.length + usualReasons + 1 };
}

/** Counts the parts of `prod` with the catalog that ships. */
export function countProduction(): Parts {
  return countParts(synthesizeVariant(production), readCatalog());
}
