import { contractOf } from './contract-of.ts';
import { openTarget } from './target.ts';

contractOf(await openTarget('exact'));
