import { realScenesOf } from '../connectors/kinds.ts';
import { playScenes } from '../connectors/play-scenes.ts';
import { openSlurmBySsh } from '../connectors/stages/real-slurm.ts';

playScenes({ ssh: { open: openSlurmBySsh, scenes: realScenesOf('slurm') } }, { oneByOne: true });
