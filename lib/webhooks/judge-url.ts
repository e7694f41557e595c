import { isIP } from 'node:net';
import { type AddressRules, hostOf, mayReach } from '#lib/outbound/public-address.ts';

type JudgedUrl = { readonly url: URL } | { readonly fault: string };

const maxLength = 2048;

const onLaptop =
  ' On a laptop, WEBHOOKS_TO_LOOPBACK=true npm start allows this machine, also over http.';

/**
 * Checks the form of a URL without resolving its host, which happens when it is called. The URL
 * parser turns every notation of an IPv4 address (decimal, octal, hexadecimal) into the plain one.
 * The parsed form is what we store and call.
 */
export function judgeUrl(text: string, rules: AddressRules): JudgedUrl {
  const url = URL.parse(text);
  if (!url) return { fault: 'It is not a valid web address.' };
  const schemes = rules.toLoopback ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) {
    return { fault: `It must begin with https://.${url.protocol === 'http:' ? onLaptop : ''}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'It must not contain a user or a password.' };
  }
  if (url.href.includes('#')) return { fault: 'It must not have a fragment (#).' };
  if (url.href.length > maxLength) {
    return {
      fault: `It has ${url.href.length} characters, but at most ${maxLength} are allowed.`,
    };
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host, rules))
    return { fault: 'Its host is not a public address.' };
  return { url };
}
