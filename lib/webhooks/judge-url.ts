import { isIP } from 'node:net';
import { judgeAddress } from '#lib/outbound/judge-address.ts';
import { type AddressRules, hostOf, mayReach } from '#lib/outbound/public-address.ts';

const onLaptop =
  ' On a laptop, WEBHOOKS_TO_LOOPBACK=true npm start allows this machine, also over http.';

/** Checks the form of a URL without resolving its host, which happens when it is called. */
export function judgeUrl(text: string, rules: AddressRules): ReturnType<typeof judgeAddress> {
  const judged = judgeAddress(text);
  if ('fault' in judged) return judged;
  const { url } = judged;
  const schemes = rules.toLoopback ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) {
    return { fault: `It must begin with https://.${url.protocol === 'http:' ? onLaptop : ''}` };
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayReach(host, rules))
    return { fault: 'Its host is not a public address.' };
  return { url };
}
