import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { listStages } from '#lib/catalog/hpc-system.ts';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import { meaningsOfStages } from '#lib/catalog/stage-meanings.ts';
import { thirdSystem } from '#test/fixtures/third-system.ts';

const own = { CANCELED: 'cancelled', DELETED: 'deleted' };

describe('what the stages of a system mean', () => {
  it('follows from their order, where the connector has no words of its own', () => {
    expect(meaningsOfStages(thirdSystem)).toEqual({
      COLD: 'waiting',
      WARM: 'running',
      DONE: 'done',
      BROKEN: 'failed',
      ...own,
    });
    const living = ['NEW', 'COLD', 'MELTING', 'WARM', 'COOLING', 'FREEZING'];
    const stages = { ...thirdSystem.stages, living };
    expect(meaningsOfStages({ ...thirdSystem, stages })).toEqual({
      NEW: 'waiting',
      COLD: 'waiting',
      MELTING: 'starting',
      WARM: 'running',
      COOLING: 'finishing',
      FREEZING: 'finishing',
      DONE: 'done',
      BROKEN: 'failed',
      ...own,
    });
  });

  it('is what the connector says of its own words, in whatever order they are listed', () => {
    const system = {
      ...findSystem(catalog, 'hpc_one'),
      connector: { kind: 'unicore', baseUrl: 'https://unicore.example.org' } as const,
    };
    expect(meaningsOfStages(system)).toEqual({ ...systemKinds.unicore.stages, ...own });
    const living = [...system.stages.living, 'CHECKING'].toReversed();
    const stages = { ...system.stages, living };
    expect(meaningsOfStages({ ...system, stages })).toEqual({
      ...systemKinds.unicore.stages,
      CHECKING: 'waiting',
      ...own,
    });
  });

  it.each(['hpc_one', 'hpc_two'])('is said of every stage that %s lists', (name) => {
    const system = findSystem(catalog, name);
    expect(Object.keys(meaningsOfStages(system))).toEqual(listStages(system));
  });
});
