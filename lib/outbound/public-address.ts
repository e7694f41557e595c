import { BlockList, isIP } from 'node:net';

/** Returns the host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/[[\]]/g, '');
}

/** Where calls may go. Only a laptop allows more than public addresses, namely its own machine. */
export interface AddressRules {
  readonly toLoopback: boolean;
}

/** Special IPv4 addresses by IANA's registry. All others are public. */
const special = listOf('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers' own
  '127.0.0.0/8', // loopback; on Lambda also the runtime's own interface
  '169.254.0.0/16', // link-local, and with it the credentials of instances
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/**
 * IPv6 works the other way round: only this range is assigned to anybody. That excludes every form
 * that embeds an IPv4 address (mapped, compatible, NAT64).
 */
const given = listOf('ipv6', ['2000::/3']);

/** Special addresses within that range. */
const specialSix = listOf('ipv6', [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address within
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

const loopback = listOf('ipv4', ['127.0.0.0/8']);
loopback.addAddress('::1', 'ipv6');

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return given.check(address, 'ipv6') && !specialSix.check(address, 'ipv6');
    default:
      return false;
  }
}

export function mayReach(address: string, { toLoopback }: AddressRules): boolean {
  return isPublicAddress(address) || (toLoopback && isLoopback(address));
}

function isLoopback(address: string): boolean {
  return loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
