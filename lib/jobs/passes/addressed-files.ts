import {
  type AllowedBucket,
  findBucket,
  isBucketAddress,
  readBucketAddress,
} from '#lib/catalog/bucket-addresses.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import {
  type BucketWays,
  type Fetching,
  fetchingOf,
  writeHost,
} from '#lib/catalog/input-addresses.ts';
import { type Sending, sendingOf } from '#lib/catalog/output-addresses.ts';
import { locateBucket } from '#lib/files/storage/storage-address.ts';
import type { JobRequest } from '../job-request.ts';
import type { JobAddresses } from '../run/sweep/sweep.ts';

/**
 * Describes what a job fetches and sends by itself. It knows objects in buckets by addresses of the
 * service, which lead on to freshly signed ones, so that no credentials reach the job.
 */
export function describeTransfers(
  { inputs, outputs }: Pick<HpcSystem, 'inputs' | 'outputs'>,
  { fetches, sends }: Pick<JobRequest, 'fetches' | 'sends'>,
  addresses: Pick<JobAddresses, 'fetch' | 'send'>,
): { readonly fetching?: Fetching; readonly sending?: Sending } {
  const fetched = (fetches ?? []).map(({ from }) => from);
  const sent = (sends ?? []).map(({ to }) => to);
  const fetching = fetchingOf(
    { ...(inputs && { inputs }) },
    fetches,
    waysTo(fetched, addresses.fetch, inputs?.buckets),
  );
  const sending = sendingOf(
    { ...(outputs && { outputs }) },
    sends,
    waysTo(sent, addresses.send, outputs?.buckets),
  );
  return { ...(fetching && { fetching }), ...(sending && { sending }) };
}

function waysTo(
  wanted: readonly string[],
  address: string,
  allowed: readonly AllowedBucket[] = [],
): BucketWays {
  const inBuckets = wanted.filter(isBucketAddress).map(readBucketAddress);
  const buckets = inBuckets.flatMap((each) => findBucket(each, allowed) ?? []);
  const places = [...buckets.map(originOf), ...(inBuckets.length > 0 ? originIn(address) : [])];
  return {
    addressOf: (number) => `${address}&number=${number}`,
    trusted: [...new Set(places.map((each) => writeHost(new URL(each))))],
  };
}

/** A container knows the service by the address that led it there. */
function originIn(address: string): string[] {
  return address.startsWith('/') ? [] : [new URL(address).origin];
}

function originOf({ name, region, endpoint }: AllowedBucket): string {
  return locateBucket(name, { AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint }).origin;
}
