import { afterAll, beforeAll, it } from 'vitest';
import { openTheatre, type Play, type Theatre } from './theatre.ts';

/**
 * Plays scenes, each on a system of its own, all in front of one service. A real system plays them
 * one after another.
 */
export function playScenes(
  plays: Readonly<Record<string, Play>>,
  { oneByOne = false }: { readonly oneByOne?: boolean } = {},
): void {
  let theatre: Theatre | undefined;
  beforeAll(async () => {
    theatre = await openTheatre(Object.values(plays));
  });
  afterAll(() => theatre?.close());
  const play = oneByOne ? it : it.concurrent;
  for (const [name, each] of Object.entries(plays)) {
    for (const scene of each.scenes) {
      play(`${name}: ${scene.name}: ${scene.title}`, async () => {
        const stage = await theatre?.openStage(each, scene);
        if (!stage) throw new Error('The theatre did not open.');
        try {
          await scene.play(stage);
        } finally {
          await stage.close();
        }
      });
    }
  }
}
