import type { SystemDraft } from './draft.ts';
import type { Problem } from './problem.ts';

/** What stands for the account of a job's owner in the directory of its jobs. */
const accountMark = '{account}';

/** Jobs that run as their owners need a connector that can act for them, and directories apart. */
export function judgeRunsAs({ runsAs = 'service', connector }: SystemDraft): Problem[] {
  const { kind, workDirectory = '' } = connector;
  if (runsAs === 'mapped' && kind === 'nsg') {
    const text = 'is "mapped"; NSG knows its users apart already, and it must be "service"';
    return [{ path: ['runsAs'], text }];
  }
  if (kind !== 'slurm' || workDirectory === '') return [];
  const path = ['connector', 'workDirectory'];
  const isApart = workDirectory.includes(accountMark);
  if (runsAs === 'mapped' && !isApart) {
    const text = `is "${workDirectory}"; with "runsAs": "mapped" it must have ${accountMark} in it, so that each account has a directory of its own`;
    return [{ path, text }];
  }
  if (runsAs === 'service' && isApart) {
    const text = `is "${workDirectory}"; ${accountMark} can stand there only with "runsAs": "mapped"`;
    return [{ path, text }];
  }
  return [];
}
