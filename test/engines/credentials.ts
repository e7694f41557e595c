import { randomBytes } from 'node:crypto';

/**
 * Of one test file. DynamoDB Local keeps the tables of each access key apart, so that files which
 * run beside each other do not meet.
 */
export const credentials = {
  accessKeyId: `test${randomBytes(8).toString('hex')}`,
  secretAccessKey: 'test',
};

export const region = 'eu-central-1';

/** For whatever reads its environment: the service, the tools. */
export function setCredentials(): void {
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
}
