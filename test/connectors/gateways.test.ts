import { shortScenesOf } from './kinds.ts';
import { playScenes } from './play-scenes.ts';
import { openImitatedBatch } from './stages/batch.ts';
import { openImitatedNsg } from './stages/nsg.ts';

playScenes({
  batch: { open: openImitatedBatch, scenes: shortScenesOf('batch') },
  nsg: { open: openImitatedNsg, scenes: shortScenesOf('nsg') },
});
