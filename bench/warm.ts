import { readFileSync } from 'node:fs';
import { exampleEvent } from '#tools/events/example-event.ts';
import { median, type Ratio, reportRatios } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import {
  type Compared,
  type Comparison,
  type RecordedCall,
  startRecorder,
} from './warm/recorder.ts';
import {
  callers,
  openWarmScene,
  type WarmCase,
  type WarmScene,
  warmCases,
} from './warm/warm-scene.ts';

export const part: Part = {
  about: `Measures what a request costs through the whole chain, as a multiple of a bare handler with the same calls.
`,
  options: {
    'cpu-prof': { about: 'a folder for a profile of each comparison, which makes it slower' },
  },
  measure: async ({ text }) => reportRatios(await measureWarm(text('cpu-prof'))),
};

/**
 * Measures the processor time of a request through the whole chain of a built function, as a
 * multiple of a bare handler that only verifies the token and makes the same calls.
 */
async function measureWarm(profileDirectory?: string): Promise<Ratio[]> {
  const scene = await openWarmScene(profileDirectory);
  try {
    const figures: Ratio[] = [];
    for (const each of warmCases) figures.push(await measureCase(scene, each));
    return figures;
  } finally {
    await scene.close();
  }
}

async function measureCase(scene: WarmScene, warmCase: WarmCase): Promise<Ratio> {
  const { name, bundle, change } = warmCase;
  const { issuer } = scene;
  const comparison: Comparison = {
    chainFile: fileOf(scene, bundle),
    bareFile: scene.bareFile,
    event: { ...exampleEvent(bundle, { issuer, names: { user_id: callers.chain } }), ...change },
    token: issuer.issueToken({ user: callers.chain }),
    calls: await recordCalls(scene, warmCase),
    resultFile: scene.write(`${name}-result.json`, {}),
  };
  const file = scene.write(`${name}.json`, comparison);
  await scene.run('compare-handlers.ts', bundle, scene.endpoints, [file]);
  const { chain, bare }: Compared = JSON.parse(readFileSync(comparison.resultFile, 'utf8'));
  const ratios = chain.map((ms, round) => ms / (bare[round] ?? Number.NaN));
  return {
    name: `warm.${name}`,
    value: median(ratios),
    measured: `${median(chain).toFixed(3)} ms of processor time, bare ${median(bare).toFixed(3)} ms`,
  };
}

/** Returns the calls of the second request, because a user's first request has more to do. */
async function recordCalls(
  scene: WarmScene,
  { name, bundle, change }: WarmCase,
): Promise<RecordedCall[]> {
  const recorders = {
    table: await startRecorder(scene.endpoints.table),
    storage: await startRecorder(scene.endpoints.storage),
  };
  const endpoints = { table: recorders.table.endpoint, storage: recorders.storage.endpoint };
  const teller = { issuer: scene.issuer, names: { user_id: callers.bare } };
  const event = { ...exampleEvent(bundle, teller), ...change };
  const args = [fileOf(scene, bundle), scene.write(`${name}-event.json`, event)];
  await scene.run('call-once.ts', bundle, endpoints, args);
  const all = () => [...recorders.storage.calls, ...recorders.table.calls];
  const first = new Set(all());
  await scene.run('call-once.ts', bundle, endpoints, args);
  await Promise.all([recorders.table.close(), recorders.storage.close()]);
  return all().filter((call) => !first.has(call));
}

function fileOf({ bundles }: WarmScene, bundle: string): string {
  const file = bundles.find(({ name }) => name === bundle)?.file;
  if (file === undefined) throw new Error(`There is no bundle ${bundle}.`);
  return file;
}
