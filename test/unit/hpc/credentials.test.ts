import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCredentials } from '#lib/hpc/credentials.ts';

const secrets = mockClient(SecretsManagerClient);
const open = () => openCredentials(new SecretsManagerClient({}), 'hpc-one');

beforeEach(() => secrets.reset());

describe('credentials of an HPC system', () => {
  it('are read once, however often and however many at once ask', async () => {
    secrets.on(GetSecretValueCommand, { SecretId: 'hpc-one' }).resolves({
      SecretString: '{"token":"first"}',
    });
    const credentials = open();
    const answers = await Promise.all([credentials.read(), credentials.read()]);
    expect([...answers, await credentials.read()]).toEqual([
      { token: 'first' },
      { token: 'first' },
      { token: 'first' },
    ]);
    expect(secrets.calls()).toHaveLength(1);
  });

  it('are read again after they were refused: a rotation needs no deployment', async () => {
    secrets
      .on(GetSecretValueCommand)
      .resolvesOnce({ SecretString: '{"token":"first"}' })
      .resolves({ SecretString: '{"token":"second"}' });
    const credentials = open();
    expect(await credentials.read()).toEqual({ token: 'first' });
    credentials.forget();
    expect(await credentials.read()).toEqual({ token: 'second' });
  });

  it('are asked for again after Secrets Manager failed', async () => {
    secrets
      .on(GetSecretValueCommand)
      .rejectsOnce(new Error('away'))
      .resolves({ SecretString: '{"token":"first"}' });
    const credentials = open();
    await expect(credentials.read()).rejects.toThrow('away');
    expect(await credentials.read()).toEqual({ token: 'first' });
  });

  it.each(['not JSON: hunter2', '["hunter2"]', '{"token":{"nested":"hunter2"}}', undefined])(
    'are refused without showing them: %s',
    async (SecretString) => {
      secrets
        .on(GetSecretValueCommand)
        .resolves(SecretString === undefined ? {} : { SecretString });
      const failure = await open()
        .read()
        .catch((error: Error) => error);
      expect(String(failure)).toBe(
        'Error: The secret hpc-one must be a JSON object whose values are text.',
      );
      expect(JSON.stringify(failure)).not.toContain('hunter2');
    },
  );
});
