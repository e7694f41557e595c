import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AddressedOutput, sendingOf, sentList } from '#lib/catalog/output-addresses.ts';
import { movers } from '../fetching/movers.ts';
import { startStoreServer } from './store-server.ts';

const buckets = [{ name: 'lab', region: 'eu-central-1' }];

describe.each(movers)('outputs that $name sends', ({ run }) => {
  async function send(
    command: string,
    wanted: readonly AddressedOutput[],
    more: { seconds?: number; maxBytes?: number; paidBy?: 'user' } = {},
  ) {
    const server = await startStoreServer();
    onTestFinished(server.close);
    const { seconds = 60, ...rules } = more;
    const outputs = { hosts: [server.host], buckets, maxBytes: 1_000_000, ...rules };
    const ways = {
      addressOf: (number: number) => `${server.host}/ask/${number}?pass=p`,
      trusted: [server.host],
    };
    const there = wanted.map(({ files, to }) => ({ files, to: to.replace('HOST', server.host) }));
    const sending = sendingOf({ outputs }, there, ways);
    if (!sending) throw new Error('There is nothing to send.');
    const done = await run({ command, sending, seconds });
    const { host, stored, asked } = server;
    return { ...done, stored: Object.fromEntries(stored), asked, host: host.slice(7) };
  }

  const readList = (list: Buffer) =>
    list
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('are those that a glob matches, which are listed and gone afterwards', async () => {
    const make =
      'mkdir -p out/deep/er .x; for f in out/a.nc "out/deep/b \\"ü\\" c.nc" out/deep/er/d.nc .x/e.nc out/f.txt g.nc; do printf %s "$f" >"$f"; done';
    const { failure, stored, read, list } = await send(make, [
      { files: 'out/**/*.nc', to: 's3://lab/runs/' },
    ]);
    expect(failure).toBeUndefined();
    const sent = ['out/a.nc', 'out/deep/b "ü" c.nc', 'out/deep/er/d.nc'];
    expect(stored).toEqual(Object.fromEntries(sent.map((file) => [`/bucket/${file}`, file])));
    expect(list()).toEqual(['.x/e.nc', 'g.nc', 'out/f.txt', sentList]);
    expect(readList(read(sentList))).toEqual(
      sent.map((file) => ({
        file,
        to: `s3://lab/runs/${file}`,
        length: Buffer.byteLength(file),
        sha256: createHash('sha256').update(file).digest('hex'),
      })),
    );
  });

  it.each(['store', 'busy', 'cut'])(
    'arrive at /%s, with no signature in the list',
    async (name) => {
      const { failure, stored, read } = await send('printf hello >a.txt', [
        { files: 'a.txt', to: `HOST/${name}/a?X-Amz-Signature=secret` },
      ]);
      expect(failure).toBeUndefined();
      expect(stored).toEqual({ [`/${name}/a`]: 'hello' });
      expect(readList(read(sentList))[0].to).toMatch(/\/a$/);
    },
  );

  it('may be empty, many and large', async () => {
    const { failure, stored } = await send(
      'touch empty; head -c 900000 /dev/zero >large; mkdir m; for i in $(seq 30); do echo $i >m/$i; done',
      [
        { files: 'empty', to: 'HOST/store/empty' },
        { files: 'large', to: 's3://lab/large' },
        { files: 'm/*', to: 's3://lab/m/' },
      ],
    );
    expect(failure).toBeUndefined();
    expect(Object.keys(stored)).toHaveLength(32);
    expect(stored['/store/empty']).toBe('');
    expect(stored['/bucket/large']).toHaveLength(900_000);
  });

  it('may go to two places', async () => {
    const { failure, stored, list } = await send('printf hello >a', [
      { files: 'a', to: 'HOST/store/a' },
      { files: '*', to: 's3://lab/copy/' },
    ]);
    expect(failure).toBeUndefined();
    expect(stored).toEqual({ '/store/a': 'hello', '/bucket/a': 'hello' });
    expect(list()).toEqual([sentList]);
  });

  it.each([
    ['secret', {}, 'HTTP 403'],
    ['missing', {}, 'HTTP 404'],
    ['large', {}, 'HTTP 413'],
    ['moved', {}, 'HTTP 307'],
    ['store', { maxBytes: 4 }, 'it is larger than 4 bytes'],
    ['silent', { seconds: 4 }, 'it was too slow'],
  ])('stay if they cannot be sent to /%s with %j', async (name, more, why) => {
    const { failure, host, list, stored } = await send(
      'printf hello >a',
      [{ files: 'a', to: `HOST/${name}/a?X-Amz-Signature=secret` }],
      more,
    );
    expect(failure).toContain(`The output a could not be sent to ${host}: ${why}.`);
    expect(failure).not.toContain('secret?');
    expect(failure).not.toContain('Signature');
    expect(list()).toEqual(['a']);
    expect(stored).toEqual({});
  });

  it('are sent as far as possible, and what is missing is named', async () => {
    const { failure, list, read } = await send('printf 1 >good; printf 2 >refused', [
      { files: '*', to: 's3://lab/' },
      { files: 'good', to: 'HOST/store/good' },
      { files: 'never/*.nc', to: 's3://lab/' },
    ]);
    expect(failure).toContain('The output refused could not be sent to 127.0.0.1');
    expect(failure).toContain('The output never/*.nc could not be sent: there is no such file.');
    expect(list()).toEqual(['refused', sentList]);
    expect(readList(read(sentList)).map(({ to }) => to)).toEqual([
      's3://lab/good',
      expect.stringMatching(/\/store\/good$/),
    ]);
  });

  it('never lead out of the folder of the job, or to what it fetched output with', async () => {
    const { failure, stored } = await send(
      'ln -s /etc/passwd link; ln -s /etc folder; echo 1 >real; echo printed',
      [{ files: '**', to: 's3://lab/' }],
    );
    expect(failure).toBeUndefined();
    expect(Object.keys(stored)).toEqual(['/bucket/real']);
  });

  it('are not sent under names that nobody can show', async () => {
    const { failure, stored } = await send("printf 1 >a; printf 2 >'b\\c'", [
      { files: '*', to: 's3://lab/' },
    ]);
    expect(failure).toContain(
      'The output b\\c could not be sent: its name has control characters or backslashes.',
    );
    expect(Object.keys(stored)).toEqual(['/bucket/a']);
  });

  it('stay where the command failed', async () => {
    const { failure, list, asked } = await send('printf 1 >a; exit 3', [
      { files: '*', to: 's3://lab/' },
    ]);
    expect(failure).toBeDefined();
    expect(list()).toEqual(['a']);
    expect(asked).toEqual([]);
  });
});
