import * as v from 'valibot';
import { isOrigin } from '#lib/http/cross-origin.ts';

const port = v.pipe(v.string(), v.regex(/^[0-9]{1,5}$/), v.transform(Number), v.maxValue(65_535));

/** How a tool is told which one is meant, if several laptop editions run. */
export const EditionEnvironment = v.object({
  PORT: v.optional(port),
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
});

/** Settings of the laptop edition. */
export const LocalEnvironment = v.object({
  PORT: v.optional(port, '3000'),
  /** Where the embedded DynamoDB listens, for others than the service: any free port. */
  DYNAMODB_PORT: v.optional(port, '0'),
  /** A folder, or 'memory' to keep nothing. */
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), '.slipway/data'),
  /** How thoroughly the data is looked through at the start. */
  DATA_CHECK: v.optional(v.picklist(['quick', 'full']), 'quick'),
  /** Where HPC systems reach the service, if not at its port on this machine. */
  PUBLIC_URL: v.optional(v.pipe(v.string(), v.url())),
  /** Origins whose pages may call the service and its storage, besides its own. */
  CORS_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',').map((origin) => origin.trim())),
      v.array(
        v.pipe(v.string(), v.check(isOrigin, 'It must be origins such as http://localhost:5173.')),
      ),
    ),
  ),
  /** Another DynamoDB than the embedded one. */
  AWS_ENDPOINT_URL_DYNAMODB: v.optional(v.string()),
  /** Another storage than the local one. */
  AWS_ENDPOINT_URL_S3: v.optional(v.string()),
});

/**
 * What clients of AWS sign with, on a laptop: what the machine has, because another DynamoDB or
 * storage may ask for it. Without a secret of the machine, one is derived from the issuer's key.
 */
export const MachineCredentials = v.object({
  AWS_REGION: v.optional(v.string(), 'eu-central-1'),
  AWS_ACCESS_KEY_ID: v.optional(v.string(), 'local'),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
});

export const tableName = 'slipway';
export const inputsBucket = 'slipway-inputs';
export const resultsBucket = 'slipway-results';
export const busName = 'slipway';
export const issuer = 'https://slipway.localhost';
export const audience = 'slipway';

/** The issuer's key stays here whatever DATA_DIR says: a token made beside a service is good for it. */
export const stateDirectory = '.slipway';
