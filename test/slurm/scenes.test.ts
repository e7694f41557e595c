import { realScenesOf } from '../connectors/kinds.ts';
import { playScenes } from '../connectors/play-scenes.ts';
import { openRealSlurm } from '../connectors/stages/real-slurm.ts';

playScenes({ slurm: { open: openRealSlurm, scenes: realScenesOf('slurm') } }, { oneByOne: true });
