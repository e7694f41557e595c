import { describe } from 'vitest';
import { realScenesOf } from '../connectors/kinds.ts';
import { playScenes } from '../connectors/play-scenes.ts';
import { canStartUnicore } from './jars.ts';
import { openRealUnicore } from './stage.ts';

describe.runIf(await canStartUnicore())('on a real UNICORE/X', () => {
  const scenes = realScenesOf('unicore');
  playScenes({ unicore: { open: openRealUnicore, scenes } }, { oneByOne: true });
});
