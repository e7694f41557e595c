import { describe } from 'vitest';
import { realScenesOf } from '../connectors/kinds.ts';
import { playScenes } from '../connectors/play-scenes.ts';
import { openSlurmBySsh, type SshWay } from '../connectors/stages/real-slurm.ts';

const identities: readonly SshWay[] = [{}, { accounts: 'sudo' }, { accounts: 'certificate' }];

// With and without a way back from the nodes to the service.
describe.each(
  [false, true].flatMap((isClosed) => identities.map((identity) => ({ ...identity, isClosed }))),
)('by ssh, $accounts, closed: $isClosed', (way) => {
  // Nodes of a closed network have nowhere to send to, or to fetch from: the service does that
  // (inputs-by-service).
  const scenes = realScenesOf('slurm').filter(
    ({ name }) => !way.isClosed || !['fetched-inputs', 'sent-outputs', 'study'].includes(name),
  );
  playScenes({ ssh: { open: openSlurmBySsh(way), scenes } }, { oneByOne: true });
});
