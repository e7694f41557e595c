import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPushRules } from '#lib/config.ts';
import { explainFailure } from '#lib/webhooks/send-push.ts';
import { signPush } from '#lib/webhooks/sign-push.ts';
import { makeWebhook } from '#lib/webhooks/webhook.ts';
import { userId } from '#test/fixtures/names.ts';

afterEach(() => vi.unstubAllEnvs());

describe('WEBHOOKS_TO_LOOPBACK', () => {
  it.each([
    { setting: undefined, toLoopback: false },
    { setting: 'false', toLoopback: false },
    { setting: 'true', toLoopback: true },
  ])('is $toLoopback if it is set to $setting', ({ setting, toLoopback }) => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', setting);
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
    expect(readPushRules()).toEqual({ toLoopback });
  });

  it('does nothing on Lambda', () => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'true');
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'slipway-deliver-events');
    expect(readPushRules()).toEqual({ toLoopback: false });
  });

  it.each(['yes', '1', 'TRUE', ''])('is refused if it is set to %j', (setting) => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', setting);
    expect(() => readPushRules()).toThrow('WEBHOOKS_TO_LOOPBACK');
  });
});

const at = new Date('2021-02-25T08:33:34.999Z');
const push = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, body: '{"test": 2432232314}' };

describe('the signature of a push', () => {
  it('follows Standard Webhooks', () => {
    // The key, message and signature of the specification's own library tests.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const moment = new Date(1_614_265_330_000);
    expect(signPush(secret, { ...push, at: moment })).toEqual({
      'webhook-id': push.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('has the whole second of the try', () => {
    const { secret } = makeWebhook(
      { owner: userId('1'), url: '', events: [], description: '' },
      at,
    );
    expect(signPush(secret, push)['webhook-timestamp']).toBe('1614242014');
  });
});

describe('a secret', () => {
  it('is new for each webhook, and holds 24 bytes', () => {
    const wish = { owner: userId('1'), url: 'https://example.org/', events: [], description: '' };
    const secrets = Array.from({ length: 50 }, () => makeWebhook(wish, at).secret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});

describe('the ways to verify that docs/webhooks.md shows', () => {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  const blockWith = (language: string, text: string) =>
    [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
      ([, name, block]) => name === language && block?.includes(text),
    )?.[2] ?? '';
  const { secret } = makeWebhook({ owner: userId('1'), url: '', events: [], description: '' }, at);
  const body = '{"title":"a ‘job’ $HOME %s","data":{"a":1}}';
  const headers = signPush(secret, { id: 'e-1', at, body });
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-verify-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('accept our pushes and nothing else, with Node.js', async () => {
    const file = join(directory, 'verify.mjs');
    writeFileSync(file, blockWith('js', 'export function verify'));
    const { verify } = await import(pathToFileURL(file).href);
    const now = at.getTime();
    expect(verify(secret, headers, body, now)).toBe(true);
    expect(verify(secret, headers, body, now + 299_000)).toBe(true);
    expect(verify(secret, headers, body, now + 301_000)).toBe(false);
    expect(verify(secret, headers, `${body} `, now)).toBe(false);
    expect(verify(secret, { ...headers, 'webhook-id': 'e-2' }, body, now)).toBe(false);
    expect(verify(`whsec_${'A'.repeat(32)}`, headers, body, now)).toBe(false);
    expect(verify(secret, { ...headers, 'webhook-signature': 'v1,' }, body, now)).toBe(false);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(verify(secret, { ...headers, [name]: undefined }, body, now), name).toBe(false);
    }
    expect(verify(secret, { ...headers, 'webhook-timestamp': 'now' }, body, now)).toBe(false);
    for (const wrong of [undefined, '', 'whsec_', 'whsec_?', secret.slice(0, 20)]) {
      expect(() => verify(wrong, headers, body, now), wrong).toThrow('not the secret');
    }
  });

  it('accept the example push with the example secret', async () => {
    const file = join(directory, 'verify.mjs');
    writeFileSync(file, blockWith('js', 'export function verify'));
    const { verify } = await import(pathToFileURL(file).href);
    const shown = /"secret":"(whsec_[^"]+)"/.exec(page)?.[1];
    const [head = '', sent] = blockWith('http', 'webhook-id').trimEnd().split('\n\n');
    const lines = head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': '));
    const sentHeaders = Object.fromEntries(lines);
    const moment = Number(sentHeaders['webhook-timestamp']) * 1000;
    expect(verify(shown, sentHeaders, sent, moment)).toBe(true);
  });

  it.runIf(spawnSync('openssl', ['version']).status === 0)('print it, with openssl', () => {
    writeFileSync(join(directory, 'body.json'), body);
    const printed = execFileSync('bash', ['-euo', 'pipefail'], {
      cwd: directory,
      input: blockWith('sh', 'hexkey'),
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        SECRET: secret,
        ID: 'e-1',
        TIMESTAMP: headers['webhook-timestamp'],
      },
    });
    expect(printed).toBe(headers['webhook-signature']);
  });
});

const coded = (code: string) => Object.assign(new Error('at 10.0.0.1'), { code });

describe('why a push failed', () => {
  it.each([
    { code: 'ENOTFOUND', reason: 'the host name is unknown' },
    { code: 'CERT_HAS_EXPIRED', reason: 'the certificate has expired' },
    { code: 'HPE_HEADER_OVERFLOW', reason: 'the headers of the answer are too long' },
    { code: 'HPE_INVALID_CONSTANT', reason: 'the answer is not HTTP' },
    { code: 'EMFILE', reason: 'the call failed (EMFILE)' },
  ])('is explained for $code: $reason', ({ code, reason }) => {
    expect(explainFailure(coded(code))).toBe(reason);
  });

  it('stays general if the cause is unknown, and shows no address', () => {
    expect(explainFailure(new Error('at 10.0.0.1'))).toBe('the call failed');
    expect(explainFailure('at 10.0.0.1')).toBe('the call failed');
  });
});
