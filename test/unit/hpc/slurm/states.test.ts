import { describe, expect, it } from 'vitest';
import { slurm } from '#lib/catalog/kinds/slurm.ts';
import { translateStates } from '#lib/hpc/slurm/observe-job.ts';

const words: Readonly<Record<string, readonly string[]>> = {
  QUEUED: [
    'PENDING',
    'CONFIGURING',
    'POWER_UP_NODE',
    'REQUEUED',
    'REQUEUE_HOLD',
    'REQUEUE_FED',
    'SPECIAL_EXIT',
    'RESV_DEL_HOLD',
    'REVOKED',
  ],
  RUNNING: ['RUNNING', 'SUSPENDED', 'RESIZING', 'SIGNALING', 'STOPPED'],
  STAGINGOUT: ['COMPLETING', 'STAGE_OUT'],
  SUCCESSFUL: ['COMPLETED'],
  FAILED: [
    'CANCELLED',
    'FAILED',
    'TIMEOUT',
    'NODE_FAIL',
    'PREEMPTED',
    'BOOT_FAIL',
    'DEADLINE',
    'OUT_OF_MEMORY',
    'LAUNCH_FAILED',
    'RECONFIG_FAIL',
  ],
};

describe('states of Slurm', () => {
  const pairs = Object.entries(words).flatMap(([stage, all]) => all.map((word) => [word, stage]));

  it.each(pairs)('%s is %s', (word, stage) => {
    expect(translateStates([word!])?.word).toBe(stage);
  });

  it('are all 27 of them', () => {
    expect(pairs).toHaveLength(27);
  });

  it.each([
    { states: ['RUNNING', 'COMPLETING'], stage: 'STAGINGOUT' },
    { states: ['COMPLETED', 'COMPLETING'], stage: 'STAGINGOUT' },
    { states: ['CANCELLED', 'COMPLETING'], stage: 'STAGINGOUT' },
    { states: ['RUNNING', 'CONFIGURING'], stage: 'QUEUED' },
    { states: ['FAILED', 'LAUNCH_FAILED'], stage: 'FAILED' },
    { states: ['PENDING', 'LAUNCH_FAILED', 'REQUEUE_HOLD'], stage: 'QUEUED' },
    { states: ['NODE_FAIL', 'REQUEUED', 'COMPLETING'], stage: 'QUEUED' },
    { states: ['RUNNING', 'SIGNALING'], stage: 'RUNNING' },
    { states: ['COMPLETED', 'SOMETHING_NEW'], stage: 'SUCCESSFUL' },
    { states: ['PENDING', 'REVOKED'], stage: 'QUEUED' },
  ])('$states together are $stage', ({ states, stage }) => {
    expect(translateStates(states)?.word).toBe(stage);
    expect(translateStates(states.toReversed())?.word).toBe(stage);
  });

  it.each([[[]], [['LEVITATING']], [['running']]])('%j are none', (states) => {
    expect(translateStates(states)).toBeUndefined();
  });

  it('become words that a catalog must have', () => {
    for (const [word] of pairs) {
      const stage = translateStates([word!])!;
      const meaning = slurm.stages[stage.word];
      expect(meaning === 'done' || meaning === 'failed').toBe(stage.state === 'ended');
    }
  });
});
