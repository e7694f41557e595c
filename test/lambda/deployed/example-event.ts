import { type Teller, exampleEvent as writeEvent } from '#tools/events/example-event.ts';
import { issuer } from './issuer.ts';

/** The example of a function, with tokens and passes that hold. */
export function exampleEvent(name: string, teller: Omit<Teller, 'issuer'> = {}) {
  return writeEvent(name, { issuer, ...teller });
}
