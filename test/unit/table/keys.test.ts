import { describe, expect, it, vi } from 'vitest';
import * as keys from '#lib/table/keys.ts';
import { batchSample } from '#test/fixtures/batches.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';

const account = {
  user: userId('306328'),
  hpc: systemName('hpc_one'),
  project: projectName('proj_hpc_one_01'),
};
const at = new Date('2019-02-10T22:40:01.789Z');

describe('keys', () => {
  it('names the quotas of one system, or of all', () => {
    expect(keys.quotaPrefix()).toBe('QUOTA#');
    expect(keys.quotaPrefix(systemName('hpc_one'))).toBe('QUOTA#hpc_one#');
    const key = keys.quotaKey(account).SK;
    expect(key.startsWith(keys.quotaPrefix(systemName('hpc_one')))).toBe(true);
    expect(key.startsWith(keys.quotaPrefix(systemName('hpc_on')))).toBe(false);
  });

  it.each([
    keys.handOversOf(account.hpc),
    keys.checksOf(account.hpc),
    'EXPIRY',
    'WAITING',
  ] as const)('puts the items of %s into one of its four partitions, by their numbers', (queue) => {
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const used = new Set(ids.map((id) => keys.dueKeys(queue, at, id).due));
    expect([...used]).toEqual([0, 1, 2, 3].map((shard) => `DUE#${queue}#${shard}`));
    expect(keys.listShards(queue)).toEqual([...used]);
  });

  it.each(['DELIVERIES', 'MAIL'] as const)('puts %s into any of four partitions', (queue) => {
    using chance = vi.spyOn(Math, 'random');
    const used = [0, 0.25, 0.5, 0.999].map((random) => {
      chance.mockReturnValueOnce(random);
      return keys.dueKeys(queue, at).due;
    });
    expect(used).toEqual([0, 1, 2, 3].map((shard) => `DUE#${queue}#${shard}`));
    expect(keys.listShards(queue)).toEqual(used);
  });

  it.each(['BATCHES', 'UPLOADS', 'RELAYS'] as const)('puts %s into one partition', (queue) => {
    expect(keys.dueKeys(queue, at, 3).due).toBe(`DUE#${queue}#0`);
    expect(keys.listShards(queue)).toEqual([`DUE#${queue}#0`]);
  });

  it('names the partition of a job that its system has', () => {
    expect(keys.checkShard(account, 83)).toBe(keys.dueKeys(keys.checksOf(account.hpc), at, 83).due);
  });

  it('selects what begins with a prefix, and no sums', () => {
    const { user, hpc } = account;
    const job = jobId('A-1');
    const selected: [prefix: string, key: keys.PrimaryKey][] = [
      [keys.waitingFor(user, job).prefix, keys.awaitedKey(user, job, jobId('A-2'))],
      [keys.batchPrefix, keys.batchKey(user, batchSample.id)],
      [keys.leadPrefix, keys.leadKey(account)],
      [keys.loginPrefix, keys.loginKey(user, hpc)],
      [keys.relaysOf(user).prefix, keys.relayRecordKey(user, job, 'f')],
      [keys.relaysOf(user, job).prefix, keys.relayRecordKey(user, job, 'f')],
      [keys.webhookPrefix, keys.webhookKey(user, 'w')],
    ];
    for (const [prefix, { SK }] of selected) expect(SK.startsWith(prefix), SK).toBe(true);
    const others = [
      keys.relaysKey(user),
      keys.webhookCountKey(user),
      keys.relayRecordKey(user, jobId('A-10'), 'f'),
    ];
    const ofJob = keys.relaysOf(user, job).prefix;
    for (const { SK } of others) {
      expect(
        [ofJob, keys.webhookPrefix].some((prefix) => SK.startsWith(prefix)),
        SK,
      ).toBe(false);
    }
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
    expect(covers('due', keys.dueKeys(keys.handOversOf(account.hpc), at, 1).due)).toBe(true);
    expect(covers('due', keys.checkShard(account, 1))).toBe(true);
    expect(covers('users', keys.ledgerKey(account, at, 'x').PK)).toBe(false);
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
