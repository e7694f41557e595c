import { describe, expect, it, onTestFinished } from 'vitest';
import { type Fault, startFaultyService } from '#test/fixtures/overselling-service.ts';
import { openContractTarget } from '../../../bench/oversell/contract-target.ts';
import {
  isExact,
  judgeRound,
  playRound,
  type RoundOptions,
  type Verdict,
} from '../../../bench/oversell/play-round.ts';

const fields = { command: 'true', node_number: '1', core_number: '1', runtime: '1.0' };

async function measure(fault: Fault, options: Partial<RoundOptions> = {}): Promise<Verdict> {
  const { url, kill, close } = await startFaultyService(fault);
  onTestFinished(async () => {
    await close();
  });
  const target = openContractTarget({ url, token: 'x', hpc: 'hpc_one', project: 'p', fields });
  return playRound(target, { submissions: 40, fits: 10, atOnce: 20, kill, ...options });
}

describe('the oversell bench', () => {
  it('finds nothing in a service that keeps to its quota', async () => {
    const verdict = await measure('none');
    expect(verdict).toMatchObject({ fits: 10, accepted: 10, jobs: 10, refused: 30 });
    expect(isExact(verdict)).toBe(true);
  });

  it('finds nothing in it either if it is killed meanwhile', async () => {
    const verdict = await measure('none', { submissions: 100, atOnce: 5, kills: 2 });
    expect(verdict).toMatchObject({ fits: 10, jobs: 10, kills: 2 });
    expect(isExact(verdict)).toBe(true);
  });

  it.each<{ fault: Fault; found: keyof Verdict }>([
    { fault: 'oversells', found: 'oversold' },
    { fault: 'loses', found: 'lost' },
    { fault: 'doubles', found: 'doubled' },
    { fault: 'confuses', found: 'doubled' },
    { fault: 'miscounts', found: 'astray' },
  ])('finds a service that $fault: $found', async ({ fault, found }) => {
    const verdict = await measure(fault);
    expect(verdict[found]).toBeGreaterThan(0);
    expect(isExact(verdict)).toBe(false);
  });

  it('counts how much was oversold', async () => {
    const { accepted, jobs, oversold, lost, doubled } = await measure('oversells');
    expect(accepted).toBeGreaterThan(10);
    expect({ jobs, oversold, lost, doubled }).toEqual({
      jobs: accepted,
      oversold: accepted - 10,
      lost: 0,
      doubled: 0,
    });
  });

  it('finds jobs that were refused although they fit, and jobs that ended', () => {
    const jobs = [{ jobId: 'a', title: '1', ended: true }];
    const answers = [{ kind: 'accepted', jobId: 'a' }, { kind: 'refused' }] as const;
    const verdict = judgeRound({ remaining: 20, price: 10 }, answers, jobs, 10);
    expect(verdict).toMatchObject({ unsold: 1, ended: 1, astray: 0, oversold: 0 });
    expect(isExact({ ...verdict, kills: 0 })).toBe(false);
  });

  it('refuses to measure a quota that suffices for all jobs', async () => {
    const { url, close } = await startFaultyService('none');
    onTestFinished(async () => {
      await close();
    });
    const target = openContractTarget({ url, token: 'x', hpc: 'hpc_one', project: 'p', fields });
    const round = playRound(target, { submissions: 10, fits: 10, atOnce: 5 });
    await expect(round).rejects.toThrow('The quota suffices for 10 of these jobs.');
  });
});
