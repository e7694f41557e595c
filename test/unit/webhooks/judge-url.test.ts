import { describe, expect, it } from 'vitest';
import { isPublicAddress, mayReach } from '#lib/outbound/public-address.ts';
import { judgeUrl } from '#lib/webhooks/judge-url.ts';
import {
  hostileAddresses,
  misformed,
  notHttps,
  noUser,
  oddHosts,
  specialSix,
} from '#test/fixtures/hostile-addresses.ts';

const strict = { toLoopback: false };
const laptop = { toLoopback: true };

function judge(text: string, rules = strict): string {
  const judged = judgeUrl(text, rules);
  return 'url' in judged ? judged.url.href : judged.fault;
}

const notPublic = 'Its host is not a public address.';

describe('a registered URL', () => {
  it.each([
    { text: 'https://example.org', kept: 'https://example.org/' },
    { text: 'https://example.org:8443/a/b?c=d', kept: 'https://example.org:8443/a/b?c=d' },
    { text: 'https://example.org:443/', kept: 'https://example.org/' },
    { text: 'HTTPS://EXAMPLE.org/A', kept: 'https://example.org/A' },
    { text: 'https://exämple.org/', kept: 'https://xn--exmple-cua.org/' },
    { text: 'https://8.8.8.8/', kept: 'https://8.8.8.8/' },
    { text: 'https://[2606:4700:4700::1111]/', kept: 'https://[2606:4700:4700::1111]/' },
    { text: 'https://example.org/%23', kept: 'https://example.org/%23' },
  ])('$text is stored as $kept', ({ text, kept }) => {
    expect(judge(text)).toBe(kept);
  });

  it.each(misformed)('$text is refused: $fault', ({ text, fault }) => {
    expect(judge(text)).toBe(fault);
  });

  it('has at most 2048 characters', () => {
    const start = 'https://example.org/';
    const longest = start.padEnd(2048, 'a');
    expect(judge(longest)).toBe(longest);
    expect(judge(`${longest}a`)).toBe('It has 2049 characters, but at most 2048 are allowed.');
  });
});

describe('an IPv4 address in an odd notation', () => {
  it.each(oddHosts)('is refused: %s', (host) => {
    expect(judge(`https://${host}/latest/meta-data/`)).toBe(notPublic);
    expect(judge(`https://${host}:8443/`)).toBe(notPublic);
  });

  it('is stored in the plain one if it is public', () => {
    expect(judge('https://0x8080808/')).toBe('https://8.8.8.8/');
  });
});

it.each(hostileAddresses)('%j is refused as a receiver', (text) => {
  expect(judgeUrl(text, strict)).not.toHaveProperty('url');
});

describe('a laptop with the setting', () => {
  it.each(['http://127.0.0.1:8080/', 'http://[::1]:8080/', 'http://localhost/', 'https://a.org/'])(
    'accepts %s',
    (text) => {
      expect(judge(text, laptop)).toBe(text);
    },
  );

  it.each([
    { text: 'http://10.0.0.1/', fault: notPublic },
    { text: 'http://169.254.169.254/', fault: notPublic },
    { text: 'http://a@localhost/', fault: noUser },
    { text: 'ftp://localhost/', fault: notHttps },
  ])('still refuses $text', ({ text, fault }) => {
    expect(judge(text, laptop)).toBe(fault);
  });
});

/** The first and last addresses of ranges that must never be reached, and why. */
const forbidden = [
  { why: 'unspecified', first: '0.0.0.0', last: '0.255.255.255' },
  { why: 'private', first: '10.0.0.0', last: '10.255.255.255' },
  { why: 'carrier-grade NAT', first: '100.64.0.0', last: '100.127.255.255' },
  { why: 'loopback', first: '127.0.0.0', last: '127.255.255.255' },
  { why: 'link-local', first: '169.254.0.0', last: '169.254.255.255' },
  { why: 'private', first: '172.16.0.0', last: '172.31.255.255' },
  { why: 'protocol assignments', first: '192.0.0.0', last: '192.0.0.255' },
  { why: 'documentation', first: '192.0.2.0', last: '192.0.2.255' },
  { why: '6to4 relays', first: '192.88.99.0', last: '192.88.99.255' },
  { why: 'private', first: '192.168.0.0', last: '192.168.255.255' },
  { why: 'benchmarks', first: '198.18.0.0', last: '198.19.255.255' },
  { why: 'documentation', first: '198.51.100.0', last: '198.51.100.255' },
  { why: 'documentation', first: '203.0.113.0', last: '203.0.113.255' },
  { why: 'multicast, reserved, broadcast', first: '224.0.0.0', last: '255.255.255.255' },
];

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** Returns the IPv6 forms that embed an IPv4 address. */
function disguise(address: string): string[] {
  const number = toNumber(address);
  const high = Math.floor(number / 65_536).toString(16);
  const low = (number % 65_536).toString(16);
  const turned = (text: string) => (0xffff - Number.parseInt(text, 16)).toString(16);
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${turned(high)}:${turned(low)}`,
  ];
}

describe('an IPv4 address', () => {
  it.each(forbidden)('from $first to $last is not public: $why', ({ first, last }) => {
    const [from, to] = [toNumber(first), toNumber(last)];
    const within = [from, from + 1, Math.floor((from + to) / 2), to - 1, to];
    expect(within.map(toAddress).filter(isPublicAddress)).toEqual([]);
  });

  it.each([
    '1.0.0.0',
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('an IPv6 address', () => {
  it.each(specialSix)('$address is not public: $why', ({ address }) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2001:200::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(forbidden)('is not public where it holds $first or $last within', ({ first, last }) => {
    const forms = [first, '169.254.169.254', last].flatMap(disguise);
    expect(forms.filter(isPublicAddress)).toEqual([]);
  });
});

describe('text that is not an address', () => {
  it.each(['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '[::1]', '1.1.1.1/32', ' 1.1.1.1'])(
    '%j is not public',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

describe('the setting for a laptop', () => {
  it.each([
    { address: '127.0.0.1', reached: true },
    { address: '127.9.9.9', reached: true },
    { address: '::1', reached: true },
    { address: '8.8.8.8', reached: true },
    { address: '::ffff:127.0.0.1', reached: true },
    { address: '0.0.0.0', reached: false },
    { address: '10.0.0.1', reached: false },
    { address: '169.254.169.254', reached: false },
    { address: 'fd00:ec2::254', reached: false },
  ])('allows $address: $reached', ({ address, reached }) => {
    expect(mayReach(address, { toLoopback: true })).toBe(reached);
    expect(mayReach(address, { toLoopback: false })).toBe(reached && address === '8.8.8.8');
  });
});
