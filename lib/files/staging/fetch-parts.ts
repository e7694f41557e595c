import { type Fetching, mostServiceBytes } from '#lib/catalog/input-addresses.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { FetchingInterruptedError, InputNotFetchedError } from '../errors.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { openSpool, type Spool } from './spool.ts';

/** Fetches files to be parts of a zip. Throws what the owner of the job must know of a failure. */
export async function fetchParts(fetching: Fetching, seconds: number): Promise<Spool> {
  const spool = await openSpool(mostServiceBytes);
  try {
    const maxBytes = Math.min(fetching.maxBytes, mostServiceBytes);
    const shutdown = awaitShutdown();
    const signal = AbortSignal.any([AbortSignal.timeout(seconds * 1000), shutdown]);
    const failure = await fetchInputs({ ...fetching, maxBytes }, { ...spool, signal });
    if (shutdown.aborted) throw new FetchingInterruptedError();
    if (failure !== undefined) throw new InputNotFetchedError(failure);
    return spool;
  } catch (error) {
    await spool.close();
    throw error;
  }
}
