import { LeftOutError } from './left-out.ts';

/** Replaces #lib/hpc/slurm/ssh/ssh-way.ts where no system of the catalog is reached by ssh. */
export function openSlurmBySsh(): never {
  throw new LeftOutError('The way to Slurm by ssh');
}
