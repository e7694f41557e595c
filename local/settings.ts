import { join } from 'node:path';
import * as v from 'valibot';
import { readEnvironment } from '#lib/config.ts';
import { isOrigin } from '#lib/http/cross-origin.ts';

/**
 * Holds the issuer's key and the credentials of HPC systems, independent of DATA_DIR, so that
 * `npm run token` signs with the same key as the service.
 */
export const { STATE_DIR: stateDirectory } = readEnvironment(
  v.object({ STATE_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), '.slipway') }),
);

const port = v.pipe(v.string(), v.regex(/^[0-9]{1,5}$/), v.transform(Number), v.maxValue(65_535));

/** Settings that select one of several running laptop editions, for tools. */
export const EditionEnvironment = v.object({
  PORT: v.optional(port),
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
});

/** Settings of the laptop edition. */
export const LocalEnvironment = v.object({
  /** Without it, port 3000 or the next one that is free. */
  PORT: v.optional(port),
  /** Port of the embedded DynamoDB, for tools. 0 picks a free one. */
  DYNAMODB_PORT: v.optional(port, '0'),
  /** Port of the loopback address for figures that Prometheus reads. Without it, there are none. */
  METRICS_PORT: v.optional(port),
  /** A folder, or 'memory' to store nothing on disk. */
  DATA_DIR: v.optional(v.pipe(v.string(), v.minLength(1)), join(stateDirectory, 'data')),
  /** A folder on another machine that gets a copy of the table, for a standby (docs/standby.md). */
  REPLICA_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Where jobs run, unless a catalog is named: on this machine, or nowhere, in simulated time. */
  SYSTEMS: v.optional(v.picklist(['machine', 'simulated'])),
  /** How thoroughly to check the data at startup. */
  DATA_CHECK: v.optional(v.picklist(['quick', 'full']), 'quick'),
  /** Address at which people and HPC systems reach the service, if it differs from the local one. */
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.transform((address) => address.replace(/\/$/, '')),
      v.check(
        isOrigin,
        'It must be an address without a path, such as https://slipway.example.org.',
      ),
    ),
  ),
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
  /** Says that the service runs as root on purpose: jobs of mapped accounts need it. */
  RUN_AS_ROOT: v.optional(v.picklist(['true', 'false']), 'false'),
  /** A folder of programs, each named after the type of event that starts it. */
  HOOKS_DIR: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Use this DynamoDB instead of the embedded one. */
  AWS_ENDPOINT_URL_DYNAMODB: v.optional(v.string()),
  /** Use this storage instead of the local one. */
  AWS_ENDPOINT_URL_S3: v.optional(v.string()),
});

/**
 * Credentials for signing AWS requests. Taken from the machine, because another DynamoDB or storage
 * may require them. Without a secret, one is derived from the issuer's key.
 */
export const MachineCredentials = v.object({
  AWS_REGION: v.optional(v.string(), 'eu-central-1'),
  AWS_ACCESS_KEY_ID: v.optional(v.string(), 'local'),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
});
