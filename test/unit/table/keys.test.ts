import { describe, expect, it } from 'vitest';
import * as keys from '#lib/table/keys.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';

const account = {
  user: userId('306328'),
  hpc: systemName('hpc_one'),
  project: projectName('proj_hpc_one_01'),
};
const at = new Date('2019-02-10T22:40:01.789Z');

describe('the access table', () => {
  it.each([
    {
      access: 'one job of a caller',
      build: () => keys.jobKey(account, jobId('A-1')),
      expected: { PK: 'USER#306328', SK: 'JOB#hpc_one#proj_hpc_one_01#A-1' },
    },
    {
      access: 'what a job was asked to run',
      build: () => keys.jobRequestKey(account, jobId('A-1')),
      expected: { PK: 'USER#306328', SK: 'REQUEST#hpc_one#proj_hpc_one_01#A-1' },
    },
    {
      access: 'the way of a job through its system',
      build: () => keys.jobLifeKey(account, jobId('A-1')),
      expected: { PK: 'USER#306328', SK: 'LIFE#hpc_one#proj_hpc_one_01#A-1' },
    },
    {
      access: 'the owner of a job',
      build: () => keys.jobRegistryKeys(jobId('A-1')),
      expected: { registry: 'REGISTRY#JOB#A-1', registry_key: 'JOB' },
    },
    {
      access: 'the lists of a job',
      build: () => keys.jobIndexKeys(account, 80),
      expected: {
        jobs_by_id: '0000000000000080',
        jobs_by_system: 'hpc_one#0000000000000080',
        jobs_by_project: 'hpc_one#proj_hpc_one_01#0000000000000080',
        project_jobs: 'PROJECT#hpc_one#proj_hpc_one_01',
      },
    },
    {
      access: 'a job that waits to be handed over',
      build: () => keys.handOverDueKeys(account, 83, at.toISOString()),
      expected: { due: 'DUE#hpc_one#3', due_at: '2019-02-10T22:40:01.789Z' },
    },
    {
      access: 'a job that its system has',
      build: () => keys.checkShard(account, 83),
      expected: 'DUE#hpc_one#LOOKS#3',
    },
    {
      access: 'a quota of a user',
      build: () => keys.quotaKey(account),
      expected: { PK: 'USER#306328', SK: 'QUOTA#hpc_one#proj_hpc_one_01' },
    },
    {
      access: 'a quota in the list of its project',
      build: () => keys.quotaRegistryKeys(account),
      expected: {
        registry: 'REGISTRY#QUOTAS#hpc_one#proj_hpc_one_01',
        registry_key: `${'306328'.padStart(32, '0')}#306328`,
      },
    },
    {
      access: 'a quota that expires',
      build: () => keys.quotaDueKeys(6, at.toISOString()),
      expected: { due: 'DUE#EXPIRY#2', due_at: '2019-02-10T22:40:01.789Z' },
    },
    {
      access: 'an upload of a user',
      build: () => keys.uploadKey(userId('306328'), 'u-1'),
      expected: { PK: 'USER#306328', SK: 'UPLOAD#u-1' },
    },
    {
      access: 'a user in the list of all',
      build: () => keys.profileRegistryKeys(userId('306328')),
      expected: {
        registry: 'REGISTRY#USERS',
        registry_key: `${'306328'.padStart(32, '0')}#306328`,
      },
    },
    {
      access: 'the profile of a user',
      build: () => keys.profileKey(userId('306328')),
      expected: { PK: 'USER#306328', SK: 'PROFILE' },
    },
    {
      access: 'an Idempotency-Key',
      build: () => keys.idempotencyKey(userId('306328'), 'a#key'),
      expected: { PK: 'USER#306328', SK: 'IDEMPOTENCY#a#key' },
    },
    {
      access: 'a line of a ledger',
      build: () => keys.ledgerKey(account, at, 'hold#A-1'),
      expected: {
        PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
        SK: '2019-02-10T22:40:01.789Z#hold#A-1',
      },
    },
    {
      access: 'the first line of a ledger',
      build: () => keys.openingLedgerKey(account, at, 'grant#slipway'),
      expected: {
        PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
        SK: '2019-02-10T22:40:01.789Z#!grant#slipway',
      },
    },
    {
      access: 'a webhook of a user',
      build: () => keys.webhookKey(userId('306328'), 'w-1'),
      expected: { PK: 'USER#306328', SK: 'WEBHOOK#w-1' },
    },
    {
      access: 'the number of webhooks of a user',
      build: () => keys.webhookCountKey(userId('306328')),
      expected: { PK: 'USER#306328', SK: 'WEBHOOKS' },
    },
    {
      access: 'a delivery of a webhook',
      build: () => keys.deliveryKey('w-1', at, 'e-1'),
      expected: { PK: 'WEBHOOK#w-1', SK: '2019-02-10T22:40:01.789Z#e-1' },
    },
    {
      access: 'a delivery that is due',
      build: () => keys.deliveryDueKeys(at.toISOString(), () => 0.999),
      expected: { due: 'DUE#DELIVERIES#3', due_at: '2019-02-10T22:40:01.789Z' },
    },
    {
      access: 'what was last seen of a system',
      build: () => keys.systemHealthKey(systemName('hpc_one')),
      expected: { PK: 'SYSTEM#hpc_one', SK: 'HEALTH' },
    },
    {
      access: 'how far the check of all accounts came',
      build: () => keys.reconciliationKey(),
      expected: { PK: 'SYSTEM#RECONCILIATION', SK: 'PROGRESS' },
    },
    {
      access: 'whether somebody follows a running job',
      build: () => keys.jobFollowerKey(account, jobId('A-1')),
      expected: { PK: 'USER#306328', SK: 'FOLLOWER#hpc_one#proj_hpc_one_01#A-1' },
    },
    {
      access: 'when the service was there',
      build: () => keys.presenceKey(),
      expected: { PK: 'SYSTEM#PRESENCE', SK: 'SIGN' },
    },
    {
      access: 'the breaker of a system',
      build: () => keys.systemBreakerKey(systemName('hpc_one')),
      expected: { PK: 'SYSTEM#hpc_one', SK: 'BREAKER' },
    },
    {
      access: 'a job of a simulator',
      build: () => keys.simulatorKey(systemName('hpc_one'), jobId('A-1')),
      expected: { PK: 'SIMULATOR#hpc_one', SK: 'A-1' },
    },
    {
      access: 'what a simulator was asked to run',
      build: () => keys.simulatorOrderKey(systemName('hpc_one'), jobId('A-1')),
      expected: { PK: 'SIMULATOR#hpc_one', SK: 'A-1#ORDER' },
    },
    {
      access: 'a counter',
      build: () => keys.counterKey('job'),
      expected: { PK: 'COUNTER#job', SK: 'COUNTER' },
    },
  ])('builds the key of $access', ({ build, expected }) => {
    expect(build()).toEqual(expected);
  });

  it('names the quotas of one system, or of all', () => {
    expect(keys.quotaPrefix()).toBe('QUOTA#');
    expect(keys.quotaPrefix(systemName('hpc_one'))).toBe('QUOTA#hpc_one#');
    const key = keys.quotaKey(account).SK;
    expect(key.startsWith(keys.quotaPrefix(systemName('hpc_one')))).toBe(true);
    expect(key.startsWith(keys.quotaPrefix(systemName('hpc_on')))).toBe(false);
  });

  it('lists all shards of jobs to hand over and to look at, and puts every job into one', () => {
    const hpc = systemName('hpc_one');
    const numbers = [0, 1, 2, 3];
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const waiting = new Set(ids.map((id) => keys.handOverDueKeys(account, id, '').due));
    expect(keys.listHandOverShards(hpc)).toEqual(numbers.map((each) => `DUE#hpc_one#${each}`));
    expect([...waiting].sort()).toEqual(keys.listHandOverShards(hpc));
    const handed = new Set(ids.map((id) => keys.checkShard(account, id)));
    expect(keys.listCheckShards(hpc)).toEqual(numbers.map((each) => `DUE#hpc_one#LOOKS#${each}`));
    expect([...handed].sort()).toEqual(keys.listCheckShards(hpc));
  });

  it('lists all shards of deliveries, and puts every one into one of them', () => {
    const shards = ['DUE#DELIVERIES#0', 'DUE#DELIVERIES#1', 'DUE#DELIVERIES#2', 'DUE#DELIVERIES#3'];
    expect(keys.listDeliveryShards()).toEqual(shards);
    const chances = [0, 0.25, 0.5, 0.75];
    expect(chances.map((chance) => keys.deliveryDueKeys('', () => chance).due)).toEqual(shards);
  });

  it('lists all shards of quotas that expire, and puts every one into one of them', () => {
    const shards = ['DUE#EXPIRY#0', 'DUE#EXPIRY#1', 'DUE#EXPIRY#2', 'DUE#EXPIRY#3'];
    expect(keys.listQuotaShards()).toEqual(shards);
    const used = new Set(Array.from({ length: 9 }, (_, id) => keys.quotaDueKeys(id, '').due));
    expect([...used].sort()).toEqual(shards);
  });

  it('tells whose partition it is', () => {
    expect(keys.userOfPartition(keys.profileKey(userId('7')).PK)).toBe('7');
    // From before leading zeros were refused.
    expect(keys.userOfPartition('USER#007')).toBe('007');
    const ledger = keys.ledgerPartition(account);
    expect(() => keys.userOfPartition(ledger)).toThrow(
      `'${ledger}' is not the partition of a user.`,
    );
  });

  it('lists users in the order of their numbers', () => {
    const users = ['9', '10', '7', '1'.repeat(32)].map(userId);
    const sorted = users.toSorted((a, b) => (keys.registryUser(a) < keys.registryUser(b) ? -1 : 1));
    expect(sorted).toEqual(['7', '9', '10', '1'.repeat(32)]);
  });

  it('finds every line of a ledger between two moments, both included, and no other', () => {
    const lineAt = (ms: number) =>
      keys.ledgerKey(account, new Date(at.getTime() + ms), 'hold#A').SK;
    const finds = ({ from, to }: { from: string; to: string }) =>
      [-1, 0, 1].filter((ms) => lineAt(ms) >= from && lineAt(ms) <= to);
    expect(finds(keys.ledgerRange())).toEqual([-1, 0, 1]);
    // No engine takes an empty key.
    expect(keys.ledgerRange().from).not.toBe('');
    expect(finds(keys.ledgerRange(at))).toEqual([0, 1]);
    expect(finds(keys.ledgerRange(undefined, at))).toEqual([-1, 0]);
    expect(finds(keys.ledgerRange(at, at))).toEqual([0]);
    const { SK: opening } = keys.openingLedgerKey(account, at, 'grant#slipway');
    const { from, to } = keys.ledgerRange(at, at);
    expect([from < opening, opening < to]).toEqual([true, true]);
  });

  it('walks back through the months of the audit, over the turn of a year', () => {
    const act = keys.auditKey(new Date('2027-01-31T23:59:59.999Z'), 'an-act');
    expect(act).toEqual({ PK: 'AUDIT#2027-01', SK: '2027-01-31T23:59:59.999Z#an-act' });
    expect(keys.auditPartitionOf(act.SK)).toBe(act.PK);
    expect(act.SK < keys.auditPlace(new Date('2027-01-31T23:59:59.999Z'))).toBe(true);
    expect(act.SK < keys.auditPlace(new Date('2027-01-31T23:59:59.998Z'))).toBe(false);
    const december = keys.endOfPreviousMonth(act.SK);
    expect(keys.auditPartitionOf(december)).toBe('AUDIT#2026-12');
    expect(keys.auditKey(new Date('2026-12-31T23:59:59.999Z'), 'z').SK < december).toBe(true);
    expect(keys.endOfPreviousMonth(december)).toBe('2026-11~');
  });

  it('gives a role patterns that hold every partition of their kind', () => {
    const covers = (kind: keys.PartitionKind, partition: string) =>
      partition.startsWith(keys.partitionPatterns[kind].replace('*', ''));
    expect(covers('users', keys.userPartition(userId('1')))).toBe(true);
    expect(covers('ledgers', keys.ledgerKey(account, at, 'x').PK)).toBe(true);
    expect(covers('counters', keys.counterKey('quota').PK)).toBe(true);
    expect(covers('due', keys.handOverDueKeys(account, 1, '').due)).toBe(true);
    expect(covers('due', keys.checkShard(account, 1))).toBe(true);
    expect(covers('users', keys.ledgerKey(account, at, 'x').PK)).toBe(false);
  });

  it('never gives two kinds of items of one user the same key', () => {
    const { SK: job } = keys.jobKey(account, jobId('A'));
    const { SK: request } = keys.jobRequestKey(account, jobId('A'));
    const { SK: quota } = keys.quotaKey(account);
    const { SK: profile } = keys.profileKey(userId('306328'));
    const { SK: idempotency } = keys.idempotencyKey(userId('306328'), 'PROFILE');
    expect(new Set([job, request, quota, profile, idempotency]).size).toBe(5);
  });
});

describe('ids in keys', () => {
  it('sort as text in the order of their numbers', () => {
    const ids = [1, 2, 9, 10, 11, 99, 100, 80_000, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER];
    const sortKeys = ids.map((id) => keys.jobIndexKeys(account, id).jobs_by_project);
    expect(sortKeys.toSorted()).toEqual(sortKeys);
    expect(new Set(sortKeys.map((key) => key.length)).size).toBe(1);
  });

  it('come back from any index key', () => {
    const { jobs_by_id, jobs_by_system, jobs_by_project } = keys.jobIndexKeys(account, 8081);
    expect([jobs_by_id, jobs_by_system, jobs_by_project].map(keys.idOfIndexKey)).toEqual([
      8081, 8081, 8081,
    ]);
    expect(keys.idOfIndexKey(undefined)).toBeUndefined();
  });
});

describe('jobListRange', () => {
  const { firstId, lastId } = keys;

  it.each([
    {
      list: {},
      expected: { index: 'jobs_by_id', from: '0000000000000001', to: '9007199254740991' },
    },
    {
      list: { hpc: systemName('hpc_one') },
      expected: {
        index: 'jobs_by_system',
        from: 'hpc_one#0000000000000001',
        to: 'hpc_one#9007199254740991',
      },
    },
    {
      list: { hpc: systemName('hpc_one'), project: projectName('p') },
      expected: {
        index: 'jobs_by_project',
        from: 'hpc_one#p#0000000000000001',
        to: 'hpc_one#p#9007199254740991',
      },
    },
  ])('reads $expected.index for $list', ({ list, expected }) => {
    expect(keys.jobListRange(list, firstId, lastId)).toEqual(expected);
  });

  it.each([
    { id: 4, inside: false },
    { id: 5, inside: true },
    { id: 7, inside: true },
    { id: 10, inside: true },
    { id: 11, inside: false },
    { id: 50, inside: false },
  ])('from 5 to 10 holds $id: $inside', ({ id, inside }) => {
    const range = keys.jobListRange(account, 5, 10);
    const key = keys.jobIndexKeys(account, id)[range.index];
    expect(key >= range.from && key <= range.to).toBe(inside);
  });

  it('holds no job of another system or project', () => {
    const range = keys.jobListRange({ hpc: systemName('hpc_one') }, firstId, lastId);
    for (const hpc of ['hpc_on', 'hpc_one_b', 'hpc_two', 'hpc_onf'].map(systemName)) {
      const key = keys.jobIndexKeys({ ...account, hpc }, 80).jobs_by_system;
      expect(key >= range.from && key <= range.to).toBe(false);
    }
    const ofProject = keys.jobListRange(
      { hpc: systemName('hpc_one'), project: projectName('p_1') },
      firstId,
      lastId,
    );
    for (const project of ['p_', 'p_10', 'p_2', 'p_1b'].map(projectName)) {
      const key = keys.jobIndexKeys({ ...account, project }, 80).jobs_by_project;
      expect(key >= ofProject.from && key <= ofProject.to).toBe(false);
    }
  });
});
