import { LeftOutError } from './left-out.ts';

/** Replaces #lib/hpc/slurm/slurm-by-ssh.ts where no system of the catalog is reached by ssh. */
export function openSlurmBySsh(): never {
  throw new LeftOutError('The way to Slurm by ssh');
}
