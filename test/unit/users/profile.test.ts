import { describe, expect, it } from 'vitest';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { addBan, bansInProject, findBan, liftBan, type UserBans } from '#lib/users/bans.ts';
import { newProfileToItem, profileFromItem } from '#lib/users/profile.ts';
import { projectName, systemName } from '#test/fixtures/names.ts';
import { profileItem } from '#test/fixtures/profiles.ts';
import { user } from '#test/fixtures/samples.ts';

const one = { hpc: systemName('hpc_one'), project: projectName('proj_a') };
const two = { hpc: systemName('hpc_two'), project: projectName('proj_a') };
const nothing: UserBans = { projects: [] };

describe('bans', () => {
  it('from one project, from another system’s project of the same name, and from everything are separate', () => {
    const bans = addBan(addBan(addBan(nothing, one, 'here'), two, 'there'), undefined, 'all');
    expect(bansInProject(bans, one)).toEqual({ here: 'here', everywhere: 'all' });
    expect(bansInProject(bans, { ...one, project: projectName('proj_b') })).toEqual({
      everywhere: 'all',
    });
    expect(liftBan(bans, undefined)).toEqual(addBan(addBan(nothing, one, 'here'), two, 'there'));
    expect(bansInProject(liftBan(bans, one), one)).toEqual({ everywhere: 'all' });
    expect(bansInProject(liftBan(bans, one), two)).toEqual({ here: 'there', everywhere: 'all' });
  });

  it('from the same project replace each other, and the last reason counts', () => {
    const bans = addBan(addBan(nothing, one, 'first'), one, 'second');
    expect(bans).toEqual({ projects: [{ ...one, reason: 'second' }] });
    expect(addBan(addBan(nothing, undefined, 'first'), undefined, 'second')).toEqual({
      everywhere: 'second',
      projects: [],
    });
  });

  it('are found by their own project only', () => {
    const bans = addBan(nothing, one, 'here');
    expect(findBan(bans, one)).toBe('here');
    expect(findBan(bans, two)).toBeUndefined();
    expect(findBan(bans, undefined)).toBeUndefined();
    expect(liftBan(nothing, one)).toStrictEqual(nothing);
    expect(liftBan(nothing, undefined)).toEqual(nothing);
  });
});

describe('a stored profile', () => {
  const firstSeen = new Date('2019-02-10T22:40:01.789Z');
  const welcomedOn = ['hpc_one', 'hpc_two'].map(systemName);

  it('of a new user has this shape', () => {
    expect(newProfileToItem(user, firstSeen, welcomedOn)).toEqual(profileItem());
    expect(profileFromItem(profileItem())).toStrictEqual({
      user,
      firstSeen,
      bans: nothing,
      welcomedOn,
      revision: 0,
    });
  });

  it('keeps its bans', () => {
    const project_bans = [{ hpc: systemName('hpc_one'), project_name: 'proj_a', reason: 'here' }];
    const stored = profileItem({ banned: 'all', project_bans, revision: 2 });
    expect(profileFromItem(stored)).toEqual({
      user,
      firstSeen,
      bans: { everywhere: 'all', projects: [{ ...one, reason: 'here' }] },
      welcomedOn,
      revision: 2,
    });
  });

  it('from before welcomes were recorded has no list of systems', () => {
    const { welcomed_on: _, ...old } = profileItem();
    const profile = profileFromItem(old);
    expect(profile.user).toBe(user);
    expect(profile.welcomedOn).toBeUndefined();
  });

  it('of another shape is refused', () => {
    expect(() => profileFromItem({ ...profileItem(), type: 'quota' })).toThrow(DamagedItemError);
  });
});
