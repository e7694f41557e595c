import { shortScenesOf } from './kinds.ts';
import { playScenes } from './play-scenes.ts';
import { openImitatedSlurm } from './stages/slurm.ts';
import { openImitatedUnicore } from './stages/unicore.ts';

playScenes({
  slurm: { open: openImitatedSlurm, scenes: shortScenesOf('slurm') },
  unicore: { open: openImitatedUnicore, scenes: shortScenesOf('unicore') },
});
