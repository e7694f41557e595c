import { describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import { presentSystem } from '#lib/http/presenters/present-catalog.ts';
import { catalog } from '../../fixtures/catalog.ts';

describe('an announcement of a system', () => {
  const system = findSystem(catalog, 'hpc_one');

  it('is shown to users while there is one', () => {
    const announcement = 'Maintenance on 3 December, from 8 to 12.';
    expect(presentSystem({ ...system, announcement })).toHaveProperty('announcement', announcement);
    expect(presentSystem(system)).not.toHaveProperty('announcement');
  });
});
