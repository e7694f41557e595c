import { CannotDo } from '../outcome/outcome.ts';

/**
 * Refuses an address at which others could read a token on its way: anything but https, except on
 * this machine itself.
 */
export function requireSafeAddress(address: string): string {
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  if (parsed?.protocol === 'https:') return address;
  if (parsed?.protocol === 'http:') {
    if (isThisMachine(parsed.hostname)) return address;
    throw new CannotDo(`${address} is not encrypted, so your token could be read on its way.`, {
      next: `Use https: ${address.replace(/^http:/i, 'https:')}`,
    });
  }
  throw new CannotDo(`'${address}' is not the address of a service.`, {
    next: 'Write it as https://jobs.example.org',
  });
}

function isThisMachine(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}
