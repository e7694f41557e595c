import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  attribute,
  defineItem,
  flag,
  group,
  list,
  map,
  moment,
  nullable,
  number,
  optional,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';

const storedBoat = defineItem('boat', () => ({
  name: text('boat_name'),
  size: group({ metres: number('metres'), tons: number('tons') }),
  launchedAt: nullable(moment('launched')),
  leaks: sparse(flag('leaks'), false),
  repairs: sparse(number('repairs'), 0),
  owner: optional(text('owner')),
  charter: optional(group({ by: text('charter_by'), until: optional(moment('charter_until')) })),
  engine: optional(map('engine', { kind: text('kind'), builtAt: moment('built_at') })),
  trips: list('trips', { to: text('to'), note: optional(text('note')) }),
  colour: attribute('colour', v.optional(v.picklist(['red', 'blue']), 'blue')),
}));

const head = { type: 'boat', schema_version: 1 };
const plain = { boat_name: 'Ada', metres: 9, tons: 4, launched: null, trips: [], colour: 'red' };
const ada = {
  name: 'Ada',
  size: { metres: 9, tons: 4 },
  launchedAt: null,
  leaks: false,
  repairs: 0,
  trips: [],
  colour: 'red',
} as const;

describe('an item', () => {
  it('is read and written without the fields that it does not have', () => {
    expect(storedBoat.parse({ ...head, ...plain, PK: 'BOAT#1' })).toStrictEqual(ada);
    expect(storedBoat.format(ada)).toStrictEqual({ ...head, ...plain });
  });

  it('is read and written with every field', () => {
    const full = {
      ...ada,
      launchedAt: new Date('2026-01-02T03:04:05.678Z'),
      leaks: true,
      repairs: 2,
      owner: 'Grace',
      charter: { by: 'Alan', until: new Date('2026-02-01T00:00:00Z') },
      engine: { kind: 'diesel', builtAt: new Date('2025-01-01T00:00:00Z') },
      trips: [{ to: 'Oslo' }, { to: 'Bergen', note: 'fog' }],
    } as const;
    const item = {
      ...head,
      ...plain,
      launched: '2026-01-02T03:04:05.678Z',
      leaks: true,
      repairs: 2,
      owner: 'Grace',
      charter_by: 'Alan',
      charter_until: '2026-02-01T00:00:00.000Z',
      engine: { kind: 'diesel', built_at: '2025-01-01T00:00:00.000Z' },
      trips: [{ to: 'Oslo' }, { to: 'Bergen', note: 'fog' }],
    };
    expect(storedBoat.parse(item)).toStrictEqual(full);
    expect(storedBoat.format(full)).toStrictEqual(item);
  });

  it('has an optional group only if nothing is missing that the group needs', () => {
    const read = (more: object) => storedBoat.parse({ ...head, ...plain, ...more }).charter;
    expect(read({ charter_by: 'Alan' })).toStrictEqual({ by: 'Alan' });
    expect(read({ charter_until: '2026-02-01T00:00:00.000Z' })).toBeUndefined();
  });

  it('has the default of an attribute that was added later', () => {
    const { colour: _, ...old } = plain;
    expect(storedBoat.parse({ ...head, ...old }).colour).toBe('blue');
  });

  it('is written in part', () => {
    const part = { size: { metres: 10, tons: 5 }, owner: undefined, launchedAt: null, repairs: 1 };
    const attributes = { metres: 10, tons: 5, launched: null, repairs: 1 };
    expect(storedBoat.formatPart(part)).toStrictEqual(attributes);
    expect(storedBoat.formatPart({})).toStrictEqual({});
  });

  it.each([
    { change: { type: 'ship' }, named: 'type' },
    { change: { schema_version: 3 }, named: 'version 3 of boat was written by a later release' },
    { change: { boat_name: 7, tons: 'x' }, named: 'boat_name, tons' },
    { change: { launched: 'soon' }, named: 'launched' },
    { change: { launched: undefined }, named: 'launched' },
    { change: { trips: [{ to: 'Oslo' }, { note: 'fog' }] }, named: 'trips.1.to' },
    { change: { engine: { kind: 'diesel', built_at: 1 } }, named: 'engine.built_at' },
  ])('is not read in another shape: $change', ({ change, named }) => {
    const parse = () => storedBoat.parse({ ...head, ...plain, ...change });
    expect(parse).toThrow(DamagedItemError);
    expect(parse).toThrow(named);
  });
});
