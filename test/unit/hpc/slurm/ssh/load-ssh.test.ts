import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const connect = `
  const { openConnection } = await import('#lib/hpc/slurm/ssh/open-connection.ts');
  const reach = { host: '127.0.0.1', port: 1, user: 'a', hostKeys: [] };
  await openConnection(reach, { sshKey: 'no key' }).catch((error) => console.log(error.name));
`;

it('ssh2 is found whole by Node itself, which names less of it than bundlers and tests do', async () => {
  const options = { env: { ...process.env, NODE_NO_WARNINGS: '1' } };
  const words = ['--input-type=module', '--eval', connect];
  const { stdout } = await promisify(execFile)(process.execPath, words, options);
  expect(stdout).toBe('CredentialsRefusedError\n');
});
