import { shortScenesOf } from './kinds.ts';
import { playScenes } from './play-scenes.ts';
import { openThisMachine } from './stages/machine.ts';
import { openSimulator } from './stages/simulator.ts';

playScenes({
  simulator: { open: openSimulator, scenes: shortScenesOf('simulator') },
  machine: { open: openThisMachine, scenes: shortScenesOf('machine') },
});
