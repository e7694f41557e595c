import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressedInput } from '#lib/catalog/input-addresses.ts';
import { data, hash, startDataServer } from './data-server.ts';
import { fetchByContainer, fetchByScript, fetchByShepherd } from './fetchers.ts';

/** How each kind of system fetches what it is told to. */
const fetchers = [
  { name: 'a script of bash and curl', run: fetchByScript },
  { name: 'the Python of a container', run: fetchByContainer },
  { name: 'a shepherd', run: fetchByShepherd },
];

const rules = { paidBy: 'site', maxBytes: 1_000_000, seconds: 60 } as const;

describe.each(fetchers)('inputs that $name fetches', ({ run }) => {
  async function fetchFrom(
    path: string,
    more: Partial<AddressedInput> & { seconds?: number } = {},
  ) {
    const server = await startDataServer();
    onTestFinished(server.close);
    const { seconds = rules.seconds, ...others } = more;
    const files = [{ from: `${server.host}${path}`, to: 'deep/a b.dat', ...others }];
    const done = await run({ ...rules, seconds, hosts: [server.host, '*.example.org'], files });
    return { ...done, asked: server.asked, host: server.host.slice('http://'.length) };
  }

  it.each(['/data', '/moved', '/busy', '/cut', '/cut-whole'])(
    'arrive whole from %s',
    async (path) => {
      const { read, failure } = await fetchFrom(path, { sha256: hash.toUpperCase() });
      expect(failure).toBeUndefined();
      expect(read('deep/a b.dat').equals(data)).toBe(true);
    },
  );

  it('go on where a try ended', async () => {
    expect((await fetchFrom('/cut')).asked).toEqual(['/cut', '/cut bytes=10000-']);
  });

  it.each([
    ['/missing', {}, 'HTTP 404'],
    ['/secret', {}, 'HTTP 403'],
    ['/around', {}, 'it redirects too often'],
    ['/data', { sha256: '0'.repeat(64) }, `its checksum is ${hash}`],
    ['/endless', {}, 'it is larger than 1000000 bytes'],
    ['/silent', { seconds: 3 }, 'it was too slow'],
  ])('fail from %s with %j', async (path, more, why) => {
    const { failure, host, list } = await fetchFrom(path, more);
    expect(failure).toContain(`The input deep/a b.dat could not be fetched from ${host}: ${why}`);
    expect(list()).toEqual([]);
  });

  it.each([
    ['/away', 'elsewhere.example'],
    ['/inside', '169.254.169.254'],
  ])('never follow %s', async (path, host) => {
    const { failure, asked } = await fetchFrom(path);
    expect(failure).toContain(`from ${host}: it is not among the hosts that this system allows`);
    expect(asked).toEqual([path]);
  });
});
