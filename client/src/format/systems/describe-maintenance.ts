import type { System } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { writeMoment } from '../times/day.ts';

export type MaintenanceWindow = NonNullable<System['maintenance']>[number];

/** Names a window by the day on which it begins for the reader. */
export function nameByDay(from: string): string {
  return writeMoment(from).slice(0, '2026-12-01'.length);
}

/** Says what a maintenance means for a system, in the reader's time zone. */
export function describeMaintenance(hpc: string, window: MaintenanceWindow, now: Date): string {
  const { from, until, reason, source } = window;
  const span = { hpc, from: writeMoment(from), until: until === null ? '' : writeMoment(until) };
  if (source === 'slurm') return `${phrase('maintenance.reserved', span)} ${reason}`;
  if (new Date(from) > now) {
    const coming = until === null ? 'maintenance.comingOpen' : 'maintenance.coming';
    return `${phrase(coming, span)} ${reason}`;
  }
  return `${phrase(until === null ? 'maintenance.paused' : 'maintenance.now', span)} ${reason}`;
}

/** Says until when the jobs of a dry run would wait, if they would. */
export function describeWait({
  maintenance: window,
}: {
  readonly maintenance?: MaintenanceWindow;
}): string[] {
  if (!window) return [];
  const { until, reason } = window;
  const wait =
    until === null
      ? phrase('maintenance.waitsForResumption')
      : phrase('maintenance.waits', { until: writeMoment(until) });
  return [`${wait} ${reason}`];
}
