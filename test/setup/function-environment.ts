import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createIssuer } from '#local/issuer.ts';
import { audience, issuer as issuerName } from '#local/names.ts';

/** This runs once a file, and the functions are loaded once a process: so its key is the process's. */
process.env.TEST_ISSUER_KEY ??= generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** The issuer whose keys the functions of this test trust. */
export const issuer = createIssuer(createPrivateKey(process.env.TEST_ISSUER_KEY));

Object.assign(process.env, {
  TABLE_NAME: 'slipway-test',
  ISSUER: issuerName,
  AUDIENCE: audience,
  JWKS: issuer.jwks,
  // Tests call as often as they like; test/handlers/apart/limit-callers.test.ts has the limit.
  CALLER_RATE: '10000',
  CALLER_BURST: '100000',
  CURSOR_SECRET: 'a secret of the tests',
  PASS_SECRET: 'another secret of the tests',
  PUBLIC_URL: 'https://slipway.test',
  INPUTS_BUCKET: 'inputs-test',
  RESULTS_BUCKET: 'results-test',
  AWS_ENDPOINT_URL_S3: 'http://storage.test',
  EVENT_BUS_NAME: 'slipway-test',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  SERVICE_NAME: 'slipway',
  METRICS_DISABLED: 'true',
});
