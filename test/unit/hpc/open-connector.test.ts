import { describe, expect, it } from 'vitest';
import type { ConnectorSettings } from '#lib/catalog/hpc-system.ts';
import { openSecrets } from '#lib/hpc/credentials.ts';
import { openConnector } from '#lib/hpc/open/open-connector.ts';
import { openTable } from '#lib/table/table.ts';
import { connectors } from '#test/fixtures/connectors.ts';
import { thirdSystem } from '#test/fixtures/third-system.ts';

const kinds: { settings: ConnectorSettings; floor: number }[] = [
  { settings: connectors.simulator, floor: 1 },
  { settings: connectors.slurm, floor: 30 },
  { settings: { ...connectors.slurm, pollFloorSeconds: 120 }, floor: 120 },
  { settings: connectors.unicore, floor: 30 },
  { settings: connectors.nsg, floor: 60 },
];

describe('openConnector', () => {
  const table = openTable('none');

  it.each(kinds)('serves a third system by $settings.kind, with no code of its own', (each) => {
    const system = { ...thirdSystem, connector: each.settings };
    const connector = openConnector(table, system, {
      simulatedHourSeconds: 60,
      openCredentials: openSecrets({ hpc_three: 'a-secret' }),
    });
    expect(connector.pollFloorSeconds).toBe(each.floor);
  });

  it('says which system lacks its secret', () => {
    const system = { ...thirdSystem, connector: connectors.unicore };
    expect(() =>
      openConnector(table, system, { simulatedHourSeconds: 60, openCredentials: openSecrets({}) }),
    ).toThrow('No secret is set for the credentials of hpc_three.');
  });
});
