import type { AllowedBucket } from '#lib/catalog/bucket-addresses.ts';
import { readBucketCredentials } from '#lib/config.ts';
import { type ObjectStore, openObjectStore } from '#lib/files/storage/object-store.ts';

/** Opens a bucket of the catalog. Returns undefined without credentials for it. */
export function openBucket({ name, region, endpoint }: AllowedBucket): ObjectStore | undefined {
  const credentials = readBucketCredentials();
  if (!credentials) return undefined;
  return openObjectStore(name, {
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: endpoint,
    ...credentials,
  });
}
