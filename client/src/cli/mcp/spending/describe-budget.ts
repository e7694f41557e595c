import { type Charging, nameUnit, writeLeft } from '../../../format/write-node-time.ts';
import type { Budget } from './budget.ts';

export function describeBudget({ whole, left }: Budget, charging: Charging): string {
  if (whole === 0) return 'There is no budget: the user is asked about every job.';
  return `The budget of this session has ${writeLeft(left(), whole)} ${nameUnit(charging)} left.`;
}
