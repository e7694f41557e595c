import { longScenesOf } from './kinds.ts';
import { playScenes } from './play-scenes.ts';
import { openImitatedBatch } from './stages/batch.ts';
import { openThisMachine } from './stages/machine.ts';
import { openImitatedNsg } from './stages/nsg.ts';
import { openSimulator } from './stages/simulator.ts';
import { openImitatedSlurm } from './stages/slurm.ts';
import { openImitatedUnicore } from './stages/unicore.ts';

playScenes({
  simulator: { open: openSimulator, scenes: longScenesOf('simulator') },
  machine: { open: openThisMachine, scenes: longScenesOf('machine') },
  slurm: { open: openImitatedSlurm, scenes: longScenesOf('slurm') },
  unicore: { open: openImitatedUnicore, scenes: longScenesOf('unicore') },
  batch: { open: openImitatedBatch, scenes: longScenesOf('batch') },
  nsg: { open: openImitatedNsg, scenes: longScenesOf('nsg') },
});
