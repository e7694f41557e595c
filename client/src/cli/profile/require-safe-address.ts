import { isSafeAddress } from '../../sign-in/safe-address.ts';
import { CannotDo } from '../outcome/outcome.ts';

/** Refuses an address at which others could read a token on its way. */
export function requireSafeAddress(address: string): string {
  if (isSafeAddress(address)) return address;
  if (/^http:/i.test(address) && URL.canParse(address)) {
    throw new CannotDo(`${address} is not encrypted, so others could read your token.`, {
      next: `Use https: ${address.replace(/^http:/i, 'https:')}`,
    });
  }
  throw new CannotDo(`'${address}' is not the address of a service.`, {
    next: 'Write it as https://jobs.example.org',
  });
}
