import { describe, expect, it } from 'vitest';
import { openQuota } from '#lib/quotas/quota.ts';
import { quotaFromItem, quotaToItem } from '#lib/quotas/quota-item.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';

const project = { number: 1, hpc: systemName('hpc_one'), name: projectName('proj_hpc_one_01') };
const account = { id: 5, user: userId('7'), project };
const granted = { seconds: 60, kilobytes: 30 };

describe('a stored quota', () => {
  it.each([
    { what: 'no ban and no end', limits: {}, attributes: [] },
    { what: 'a ban here', limits: { bans: { here: 'a loop' } }, attributes: ['banned_here'] },
    {
      what: 'a ban everywhere',
      limits: { bans: { everywhere: 'a loop' } },
      attributes: ['banned_everywhere'],
    },
    {
      what: 'an end',
      limits: { validUntil: new Date('2027-01-01T00:00:00Z') },
      attributes: ['valid_until'],
    },
  ])('with $what has attributes for that and no other', ({ limits, attributes }) => {
    const quota = openQuota(account, granted, limits);
    const item = quotaToItem(quota);
    const optional = ['banned_here', 'banned_everywhere', 'valid_until'];
    expect(Object.keys(item).filter((name) => optional.includes(name))).toEqual(attributes);
    expect(quotaFromItem(item)).toStrictEqual(quota);
  });
});
