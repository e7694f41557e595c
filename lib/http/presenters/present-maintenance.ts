import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { timestamp } from './values.ts';

export function presentWindow({ name, from, until, reason, drains, source }: MaintenanceWindow) {
  return {
    name,
    from: timestamp(from),
    until: until ? timestamp(until) : null,
    reason,
    drain: drains,
    source,
  };
}

export function presentWindows(windows: readonly MaintenanceWindow[] = []) {
  return windows.length > 0 && { maintenance: windows.map(presentWindow) };
}

/** Names the window that the jobs of a dry run would wait for. */
export function presentObstacle(obstacle: MaintenanceWindow | undefined) {
  return obstacle && { maintenance: presentWindow(obstacle) };
}
