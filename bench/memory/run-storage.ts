import { startStorage } from '#local/storage/start-storage.ts';
import { buckets, credentials } from './place.ts';

/** Runs the laptop's storage in its own process and prints its address. */
const [, , directory = '.'] = process.argv;
const { endpoint } = await startStorage({ buckets, credentials, directory });
process.stdout.write(`listening ${endpoint}\n`);
