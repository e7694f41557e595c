import { startStorage } from '#local/storage/start-storage.ts';
import { buckets, credentials } from './place.ts';

/** The laptop's storage in a process of its own. It prints where it is. */
const [, , directory = '.'] = process.argv;
const { endpoint } = await startStorage({ buckets, credentials, directory });
process.stdout.write(`listening ${endpoint}\n`);
