import { describe, expect, it, onTestFinished } from 'vitest';
import { type AddressedInput, fetchingOf } from '#lib/catalog/input-addresses.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { fetchInputs } from '#lib/files/staging/fetch-inputs.ts';
import { openSpool } from '#lib/files/staging/spool.ts';
import { hostileAddresses } from '#test/fixtures/hostile-addresses.ts';
import { data, hash, startDataServer } from './data-server.ts';
import { fetchByService, moveByScript, movers } from './movers.ts';

const fetchers = [...movers, { name: 'the service', run: fetchByService }];

const command = 'cp -r deep kept';
const rules = { paidBy: 'site', maxBytes: 1_000_000 } as const;

describe.each(fetchers)('inputs that $name fetches', ({ run }) => {
  async function fetchFrom(
    path: string,
    more: Partial<AddressedInput> & { seconds?: number } = {},
  ) {
    const server = await startDataServer();
    onTestFinished(server.close);
    const { seconds = 60, ...others } = more;
    const from = `${server.host.replace('http', 'HTTP')}${path}`;
    const inputs = { ...rules, hosts: [server.host, '*.example.org'] };
    const fetching = fetchingOf({ inputs }, [{ from, to: 'deep/a b.dat', ...others }]);
    if (!fetching) throw new Error('There is nothing to fetch.');
    const done = await run({ command, fetching, seconds });
    return { ...done, asked: server.asked, host: server.host.slice('http://'.length) };
  }

  it.each(['/data', '/moved', '/busy', '/cut', '/cut-whole'])(
    'arrive whole from %s',
    async (path) => {
      const { read, failure } = await fetchFrom(path, { sha256: hash.toUpperCase() });
      expect(failure).toBeUndefined();
      expect(read('kept/a b.dat').equals(data)).toBe(true);
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

  it('never follow to an address that no webhook may have', async () => {
    // Without a scheme, they are places on the same server.
    const away = hostileAddresses.filter((each) => each.includes(':'));
    expect(away).toHaveLength(60);
    await mapInParallel(away, 4, async (address) => {
      const path = `/to?${encodeURIComponent(address)}`;
      const { failure, asked, list } = await fetchFrom(path);
      expect(failure, address).toMatch(
        /: (it is not among the hosts that this system allows|it redirects to no address)\.$/m,
      );
      expect(asked, address).toEqual([path]);
      expect(list(), address).toEqual([]);
    });
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

it('the service fetches only so much for a job', async () => {
  const server = await startDataServer();
  onTestFinished(server.close);
  const spool = await openSpool(data.length + 10);
  onTestFinished(spool.close);
  const files = ['a', 'b'].map((to) => ({ from: `${server.host}/data?${to}`, to }));
  const signal = AbortSignal.timeout(60_000);
  const failure = await fetchInputs(
    { ...rules, hosts: [server.host], files },
    { ...spool, signal },
  );
  expect(failure).toMatch(
    /^The input b could not be fetched from 127\.0\.0\.1:\d+: together the inputs are larger than 30010 bytes\.$/,
  );
  expect(spool.listParts().map(({ name }) => name)).toEqual(['a']);
});

it('a job in an image says which input is missing, and not that its image is', async () => {
  const server = await startDataServer();
  onTestFinished(server.close);
  const image = { runtime: 'podman', image: 'localhost/a:1', gpus: false, mounts: [] } as const;
  const files = [{ from: `${server.host}/missing`, to: 'a' }];
  const fetching = { ...rules, paidBy: 'user', hosts: [server.host], files } as const;
  const { failure } = await moveByScript({ command, fetching, seconds: 60 }, { image });
  // Another exit code would stand in front of it.
  expect(failure).toMatch(/^slipway: .*The input a could not be fetched/s);
});
