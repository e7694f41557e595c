import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import {
  attribute,
  defineItem,
  flag,
  list,
  moment,
  number,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { systemMaintenanceKey } from '#lib/table/keys.ts';
import { StoredSystemName } from '#lib/table/stored-names.ts';

/** Who announces windows. `slurm` stands for the maintenance reservations of a cluster. */
export const windowSources = ['administrator', 'catalog', 'slurm'] as const;

export const maintenanceType = 'system-maintenance';

/** The windows of a system, whoever announced them. */
const storedMaintenance = defineItem(maintenanceType, () => ({
  hpc: attribute('hpc', StoredSystemName),
  windows: list('windows', {
    /** Unique among the windows of a system from the same source. */
    name: text('name'),
    source: attribute('source', v.picklist(windowSources)),
    from: moment('from'),
    /** Missing until somebody resumes. */
    until: optional(moment('until')),
    reason: text('reason'),
    /** Whether jobs are held back before the window that would run into it. */
    drains: sparse(flag('drains'), true),
  }),
  /** Set when windows changed or were withdrawn, until all jobs were judged again. */
  judgeAgainSince: optional(moment('judge_again_since')),
  /** Increases with every change. A write names the revision that it read. */
  revision: number('revision'),
}));

export interface Maintenance extends Stored<typeof storedMaintenance> {}

export type MaintenanceWindow = Maintenance['windows'][number];

export const maintenanceFromItem: (stored: unknown) => Maintenance = storedMaintenance.parse;

export function maintenanceToItem(maintenance: Maintenance) {
  return { ...systemMaintenanceKey(maintenance.hpc), ...storedMaintenance.format(maintenance) };
}

/** Revision 0 means that nothing is stored. */
export function noMaintenance(hpc: SystemName): Maintenance {
  return { hpc, windows: [], revision: 0 };
}
