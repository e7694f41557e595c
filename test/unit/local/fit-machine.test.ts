import { expect, it } from 'vitest';
import { machineCatalog, readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { fitMachine } from '#local/fit-machine.ts';

const { systems } = readCatalog(machineCatalog);

it.each([
  { machine: 'a small one', cores: 2, most: 6 },
  { machine: 'a larger one', cores: 16, most: 16 },
])(
  'offers two nodes of the cores of the machine, and what examples ask for: $machine',
  ({ cores, most }) => {
    const limits = fitMachine(systems, cores).map((system) => system.limits);
    expect(limits).toEqual([
      { nodes: 2, coresPerNode: most },
      { nodes: 2, coresPerNode: most },
    ]);
  },
);
