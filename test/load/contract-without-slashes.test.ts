import { contractOf } from '../contract/contract-of.ts';
import { openTarget } from '../contract/target.ts';

/** A gateway may take away the slash at the end of a path: the whole contract holds there too. */
contractOf(await openTarget('ignored'));
