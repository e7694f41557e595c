import { describe, expect, it } from 'vitest';
import { isPublicAddress, mayReach } from '#lib/webhooks/push/public-address.ts';

/** The first and the last address of what must never be reached, and why. */
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

/** The IPv6 forms that hold an IPv4 address. */
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
  it.each([
    { why: 'unspecified', address: '::' },
    { why: 'loopback', address: '::1' },
    { why: 'loopback in full', address: '0:0:0:0:0:0:0:1' },
    { why: 'link-local', address: 'fe80::1' },
    { why: 'link-local with a zone', address: 'fe80::1%eth0' },
    { why: 'unique local', address: 'fc00::1' },
    { why: 'metadata of instances', address: 'fd00:ec2::254' },
    { why: 'site-local', address: 'fec0::1' },
    { why: 'multicast', address: 'ff02::1' },
    { why: 'discard', address: '100::1' },
    { why: 'documentation', address: '2001:db8::1' },
    { why: 'documentation', address: '3fff::1' },
    { why: 'benchmarks', address: '2001:2::1' },
    { why: 'ORCHID', address: '2001:20::1' },
    { why: 'Teredo', address: '2001::1' },
    { why: 'reserved', address: '4000::1' },
    { why: 'reserved', address: '1fff::1' },
    { why: 'segment routing', address: '5f00::1' },
  ])('$address is not public: $why', ({ address }) => {
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

describe('what is no address', () => {
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
  ])('lets $address be reached: $reached', ({ address, reached }) => {
    expect(mayReach(address, { toLoopback: true })).toBe(reached);
    expect(mayReach(address, { toLoopback: false })).toBe(reached && address === '8.8.8.8');
  });
});
