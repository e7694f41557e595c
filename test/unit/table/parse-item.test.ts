import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DamagedItemError, parseItem } from '#lib/table/parse-item.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';

const Item = v.object({ id: v.number(), place: v.object({ hpc: StoredSystemName }) });

describe('parseItem', () => {
  it('gives what it knows of an item, and nothing else', () => {
    const stored = { id: 1, place: { hpc: 'hpc_one', more: 1 }, PK: 'USER#1' };
    expect(parseItem(Item, stored)).toEqual({ id: 1, place: { hpc: 'hpc_one' } });
  });

  it('names the attributes of a damaged item, and not their values', () => {
    const parse = () => parseItem(Item, { id: 'secret', place: { hpc: 7 } });
    expect(parse).toThrow(DamagedItemError);
    expect(parse).toThrow(expect.objectContaining({ name: 'DamagedItemError' }));
    expect(parse).toThrow('A stored item does not have the expected shape: id, place.hpc');
  });

  it.each([StoredJobId, StoredProjectName, StoredSystemName, StoredUserId])(
    'takes any text for a name that was stored, and nothing but text',
    (Name) => {
      expect(parseItem(Name, 'x')).toBe('x');
      expect(() => parseItem(Name, 7)).toThrow(DamagedItemError);
      expect(() => parseItem(Name, undefined)).toThrow(DamagedItemError);
    },
  );
});
