import { describe, expect, it } from 'vitest';
import { jobFromItem, jobToItem, storedJob } from '#lib/jobs/job.ts';
import { type JobRequest, requestToItem, storedRequest } from '#lib/jobs/job-request.ts';
import { lifeFromItem, newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { ledgerLineToItem, lineFromItem } from '#lib/quotas/ledger.ts';
import { quotaFromItem, quotaToItem } from '#lib/quotas/quota-item.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { jobId, projectName, systemName } from '#test/fixtures/names.ts';
import {
  describedJob,
  hpcOne,
  jobItem,
  lifeItem,
  quotaItem,
  submittedAt,
  systemSamples,
  user,
} from '#test/fixtures/samples.ts';

/**
 * What the table holds is read by every later version: a change here needs a new schema_version
 * and a reader of the old one.
 */
describe.each(systemSamples)('a stored job of $hpc', (sample) => {
  it.each([{ ended: false }, { ended: true }])('has this shape: $ended', (facts) => {
    expect(jobToItem(jobFromItem(jobItem(sample, facts)))).toEqual(jobItem(sample, facts));
  });

  it('is the same job when it is read again', () => {
    for (const facts of [{}, { ended: true }, { title: '', id: 4 }]) {
      const job = jobFromItem(jobItem(sample, facts));
      expect(jobFromItem(jobToItem(job))).toEqual(job);
      expect(jobFromItem(storedJob.format(job))).toEqual(job);
    }
  });

  it('reads as the domain’s own', () => {
    expect(jobFromItem(jobItem(sample, { ended: true }))).toEqual({
      id: 80,
      jobId: sample.jobId,
      owner: user,
      project: { number: sample.projectNumber, hpc: sample.hpc, name: sample.project },
      title: 'a job title',
      runtime: sample.runtime,
      stage: sample.doneStage,
      terminal: true,
      failed: false,
      submittedAt: new Date('2019-02-10T22:40:01Z'),
      endedAt: new Date('2019-02-10T23:21:51Z'),
      hold: { seconds: sample.heldSeconds, kilobytes: 1 },
    });
  });

  it('is remembered by an Idempotency-Key without its keys', () => {
    const job = jobFromItem(jobItem(sample));
    expect(storedJob.format(job)).toEqual(describedJob(sample));
  });

  it('is due in its life, and not itself', () => {
    const job = jobFromItem(jobItem(sample));
    expect(newLifeToItem(job)).toEqual(lifeItem(sample));
    expect(Object.keys(jobToItem(job)).filter((name) => name.startsWith('due'))).toEqual([]);
  });

  it('has a life that reads as the domain’s own', () => {
    const lived = {
      ...lifeItem(sample),
      handle: '77',
      attempts: 3,
      waiting: true,
      after: [
        { id: '3A5F', hpc: 'hpc_one', project_name: 'proj_hpc_one_01', any_end: true },
        { id: '4B60', hpc: 'hpc_two', project_name: 'proj_hpc_two_01', gives_input: true },
      ],
      trying_since: '2019-02-10T22:40:30.000Z',
      cut_offs: 1,
      running_since: '2019-02-10T22:41:00.000Z',
      kind: 'slurm',
      measured: { cpu_seconds: 40.5, cores: 2, memory_bytes: 7, memory_limit_bytes: 9 },
      unknown_since: '2019-02-10T22:42:00.000Z',
      unknown_checks: 4,
      run: 2,
      runs: [
        {
          number: 1,
          started_at: '2019-02-10T22:40:10.000Z',
          ended_at: '2019-02-10T22:40:20.000Z',
          seconds: 10,
          lost: true,
          reason: 'A node failed.',
          sent_bytes: 12,
        },
      ],
      last_run_seconds: 33,
      sent: [{ run: 1, bytes: 12 }],
      system_counts: true,
      system_keeps: true,
      remove_pending: true,
      input_folder: 'before',
      service_fetches: true,
      taking_over_since: '2019-02-10T22:40:00.000Z',
      take_overs: 2,
      cancel_pending: true,
      reason: 'No nodes are free.',
      tries: [
        { at: '2019-02-10T22:40:02.000Z', reason: 'down' },
        { at: '2019-02-10T22:40:05.000Z' },
      ],
    };
    expect(lifeFromItem(lived)).toEqual({
      account: { user, hpc: sample.hpc, project: sample.project },
      jobId: sample.jobId,
      waiting: true,
      after: [
        {
          id: '3A5F',
          hpc: 'hpc_one',
          project: 'proj_hpc_one_01',
          anyEnd: true,
          givesInput: false,
        },
        {
          id: '4B60',
          hpc: 'hpc_two',
          project: 'proj_hpc_two_01',
          anyEnd: false,
          givesInput: true,
        },
      ],
      inputFolder: 'before',
      serviceFetches: true,
      takingOverSince: new Date('2019-02-10T22:40:00Z'),
      takeOvers: 2,
      handle: '77',
      dueAt: new Date('2019-02-10T22:40:01Z'),
      claims: 3,
      tryingSince: new Date('2019-02-10T22:40:30Z'),
      cutOffs: 1,
      runningSince: new Date('2019-02-10T22:41:00Z'),
      kind: 'slurm',
      measured: { cpuSeconds: 40.5, cores: 2, memoryBytes: 7, memoryLimitBytes: 9 },
      unknownSince: new Date('2019-02-10T22:42:00Z'),
      unknownChecks: 4,
      run: 2,
      runs: [
        {
          number: 1,
          startedAt: new Date('2019-02-10T22:40:10Z'),
          endedAt: new Date('2019-02-10T22:40:20Z'),
          seconds: 10,
          isLost: true,
          reason: 'A node failed.',
          sentBytes: 12,
        },
      ],
      lastRunSeconds: 33,
      sent: [{ run: 1, bytes: 12 }],
      systemCounts: true,
      systemKeeps: true,
      removePending: true,
      cancelPending: true,
      reason: 'No nodes are free.',
      stages: [{ stage: sample.firstStage, at: new Date('2019-02-10T22:40:01Z') }],
      handOvers: [
        { at: new Date('2019-02-10T22:40:02Z'), reason: 'down' },
        { at: new Date('2019-02-10T22:40:05Z') },
      ],
    });
  });
});

describe('a stored request', () => {
  const job = jobFromItem(jobItem(hpcOne));
  const zip = { bytes: 22, sha256: 'a'.repeat(64), key: '306328/JOB.zip' };
  const request: JobRequest = {
    program: 'NEURON74_TG',
    nodes: 2,
    coresPerNode: 6,
    extras: { init_file: 'main.py' },
    input: { fileName: 'tool_job.zip', ...zip },
  };

  it('has this shape, and is the same request when it is read again', () => {
    const stored = requestToItem(job, request);
    expect(stored).toEqual({
      PK: 'USER#306328',
      SK: `REQUEST#hpc_one#proj_hpc_one_01#${hpcOne.jobId}`,
      type: 'job-request',
      schema_version: 1,
      program: 'NEURON74_TG',
      nodes: 2,
      cores_per_node: 6,
      extras: { init_file: 'main.py' },
      input_file: 'tool_job.zip',
      input_bytes: 22,
      input_sha256: 'a'.repeat(64),
      input_key: '306328/JOB.zip',
    });
    expect(storedRequest.parse(stored)).toEqual(request);
  });

  it('has no zip where none was sent, or it was written before inputs were kept', () => {
    const none = requestToItem(job, { ...request, input: { fileName: 'a.zip', bytes: 0 } });
    expect(storedRequest.parse(none).input).toStrictEqual({ fileName: 'a.zip', bytes: 0 });
    const { input_file: _, input_bytes: __, ...old } = none;
    expect(storedRequest.parse(old).input).toStrictEqual({ fileName: '', bytes: 0 });
  });

  it.each([{ type: 'job' }, { schema_version: 2 }, { nodes: '2' }, { extras: { a: 1 } }])(
    'is not read in another shape: %o',
    (change) => {
      const stored = { ...requestToItem(job, request), ...change };
      expect(() => storedRequest.parse(stored)).toThrow(DamagedItemError);
    },
  );
});

describe.each(systemSamples)('a stored quota of $hpc', (sample) => {
  const facts = { id: 5, timeLeft: 1000, spaceLeft: 7 };

  it('has this shape, and is the same quota when it is read again', () => {
    const quota = quotaFromItem(quotaItem(sample, facts));
    expect(quotaToItem(quota)).toEqual(quotaItem(sample, facts));
    expect(quotaFromItem(quotaToItem(quota))).toEqual(quota);
  });

  it('reads as the domain’s own', () => {
    expect(quotaFromItem(quotaItem(sample, facts))).toEqual({
      id: 5,
      user,
      project: { number: sample.projectNumber, hpc: sample.hpc, name: sample.project },
      time: { granted: 18_000_000, left: 1000, held: 17_999_000, used: 0 },
      space: { granted: 10_000_000, left: 7, held: 9_999_993, used: 0 },
      activeJobs: 0,
      validUntil: undefined,
      bans: {},
    });
  });

  it('says why nothing may be submitted, and until when something may', () => {
    const stored = {
      ...quotaItem(sample, facts),
      living_jobs: 3,
      valid_until: '2027-01-01T00:00:00.000Z',
      banned_here: 'a loop',
      banned_everywhere: 'left',
    };
    const quota = quotaFromItem(stored);
    expect(quota).toMatchObject({
      activeJobs: 3,
      validUntil: new Date('2027-01-01T00:00:00Z'),
      bans: { here: 'a loop', everywhere: 'left' },
    });
    expect(quotaToItem(quota)).toEqual(stored);
  });

  it('says how it renews, and when next', () => {
    const stored = {
      ...quotaItem(sample, facts),
      renews: {
        every: 'quarterly',
        on: 15,
        month: 2,
        to: { seconds: 3600, kilobytes: 10 },
        carry_over: { seconds: 60, kilobytes: 0 },
      },
      renews_next: '2027-02-15T00:00:00.000Z',
    };
    const quota = quotaFromItem(stored);
    expect(quota.renewal).toEqual({
      rule: {
        every: 'quarterly',
        on: 15,
        month: 2,
        to: { seconds: 3600, kilobytes: 10 },
        carryOver: { seconds: 60, kilobytes: 0 },
      },
      next: new Date('2027-02-15T00:00:00Z'),
    });
    expect(quotaToItem(quota)).toEqual(stored);
  });
});

describe('a stored line of a ledger', () => {
  const line = {
    user,
    hpc: systemName('hpc_one'),
    project: projectName('proj_hpc_one_01'),
    seconds: -14_400,
    kilobytes: -1,
    at: submittedAt,
  };

  it('has this shape for a hold', () => {
    const hold = {
      ...line,
      kind: 'hold',
      by: user,
      reason: 'job submitted',
      jobId: jobId('A-1'),
    } as const;
    expect(ledgerLineToItem(hold)).toEqual({
      PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
      SK: '2019-02-10T22:40:01.789Z#hold#A-1',
      type: 'ledger-line',
      schema_version: 1,
      kind: 'hold',
      seconds: -14_400,
      kilobytes: -1,
      at: '2019-02-10T22:40:01.789Z',
      by: user,
      reason: 'job submitted',
      job_id: 'A-1',
    });
  });

  it('has this shape for a grant', () => {
    const grant = { ...line, kind: 'grant', by: 'slipway', reason: 'first contact' } as const;
    const item = ledgerLineToItem(grant);
    expect(item).toMatchObject({
      SK: '2019-02-10T22:40:01.789Z#grant#slipway',
      kind: 'grant',
    });
    expect(item).not.toHaveProperty('job_id');
  });
});

describe('a line of a ledger that is read', () => {
  const settle = {
    user,
    hpc: systemName('hpc_one'),
    project: projectName('proj_hpc_one_01'),
    kind: 'settle',
    seconds: 2880,
    kilobytes: 0,
    used: 11_520,
    at: submittedAt,
    by: 'slipway',
    reason: 'SUCCESSFUL: 11520 of 14400 seconds used',
    jobId: jobId('A-1'),
  } as const;
  const stored = {
    PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
    SK: '2019-02-10T22:40:01.789Z#settle#A-1',
    type: 'ledger-line',
    schema_version: 1,
    kind: 'settle',
    seconds: 2880,
    kilobytes: 0,
    used: 11_520,
    at: '2019-02-10T22:40:01.789Z',
    by: 'slipway',
    reason: 'SUCCESSFUL: 11520 of 14400 seconds used',
    job_id: 'A-1',
  };

  it('has this shape for a settlement, with what was used', () => {
    expect(ledgerLineToItem(settle)).toEqual(stored);
  });

  it('reads as the domain’s own', () => {
    const { user: _, hpc: __, project: ___, ...line } = settle;
    const entry = { ...line, key: stored.SK, actId: undefined };
    expect(lineFromItem(stored)).toEqual(entry);
  });

  it('has used nothing where it does not say so', () => {
    const { used: _, ...silent } = stored;
    const line = lineFromItem({ ...silent, job_id: undefined, act_id: 'act-1' });
    expect(line).toMatchObject({ used: 0, actId: 'act-1' });
    expect(line.jobId).toBeUndefined();
  });

  it.each([{}, { ...stored, kind: 'gift' }, { ...stored, seconds: '1' }, { ...stored, at: 1 }])(
    'is not read in another shape: %#',
    (item) => {
      expect(() => lineFromItem(item)).toThrow(DamagedItemError);
    },
  );
});

describe('an item of another shape', () => {
  const job: Record<string, unknown> = jobItem(hpcOne);
  const quota: Record<string, unknown> = quotaItem(hpcOne);

  it.each([
    undefined,
    {},
    { ...job, type: 'quota' },
    { ...job, schema_version: 2 },
    { ...job, id: '80' },
    { ...job, end_date: undefined },
  ])('is not read as a job: %#', (item) => {
    expect(() => jobFromItem(item)).toThrow(DamagedItemError);
  });

  it.each([
    undefined,
    {},
    { ...quota, type: 'job' },
    { ...quota, schema_version: 2 },
    { ...quota, time_left: '1' },
    { ...quota, space_held: undefined },
  ])('is not read as a quota: %#', (item) => {
    expect(() => quotaFromItem(item)).toThrow(DamagedItemError);
  });

  it('is described by the names of what is wrong, without values', () => {
    const damaged = { ...job, title: ['SECRET'], id: 'SECRET', owner: undefined };
    expect(() => jobFromItem(damaged)).toThrow(
      /^A stored item does not have the expected shape: id, owner, title$/,
    );
  });
});
