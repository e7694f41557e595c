import { describe, expect, it } from 'vitest';
import { createPaged } from '#client/src/calls/paged.ts';
import { rememberAnswers } from '#console/src/connection/open-service.ts';
import { parseConfig } from '#console/src/connection/read-config.ts';
import { choosePause } from '#console/src/live/use-live.ts';
import { readLog } from '#console/src/webhooks/webhook-page.tsx';

describe('the pause before the next load', () => {
  it('is short while the value changes', () => {
    expect(choosePause({ changed: true, active: true, beforeMs: 9000 })).toBe(1500);
  });

  it('grows up to ten seconds while an active value does not change', () => {
    let ms = 1500;
    const seen = Array.from({ length: 12 }, () => {
      ms = choosePause({ changed: false, active: true, beforeMs: ms });
      return ms;
    });
    expect(seen[0]).toBeCloseTo(1950);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(10_000);
  });

  it('is long for a value that is not active, even after a change', () => {
    expect(choosePause({ changed: true, active: false, beforeMs: 0 })).toBe(30_000);
  });
});

describe('the configuration', () => {
  const oidc = {
    api: '',
    signIn: 'oidc',
    issuer: 'https://sso.example.org',
    clientId: 'console',
    scope: 'openid',
    audience: 'slipway',
    token: 'access_token',
    claims: { user: 'sub', admin: ['groups'], adminValue: 'admin' },
  } as const;

  it('is that of a laptop or of an issuer', () => {
    expect(parseConfig({ api: '', signIn: 'laptop' })).toEqual({ api: '', signIn: 'laptop' });
    expect(parseConfig(oidc)).toEqual(oidc);
    const { audience: _, ...others } = oidc;
    expect(parseConfig(others)).toEqual(others);
  });

  it.each([
    null,
    'nonsense',
    { api: '' },
    { signIn: 'laptop' },
    { ...oidc, issuer: undefined },
    { ...oidc, token: 'refresh_token' },
    { ...oidc, claims: { ...oidc.claims, admin: 'groups' } },
  ])('is refused if it is %j', (config) => {
    expect(() => parseConfig(config)).toThrow('is not valid');
  });
});

describe('the log of a webhook', () => {
  const delivery = { type: 'job.ended', at: '2026-01-01T00:00:00Z', state: 'delivered' } as const;
  const pagesOf = (sizes: readonly number[]) =>
    createPaged('0', async (place) => {
      const page = Number(place);
      const items = Array.from({ length: sizes[page] ?? 0 }, (_, number) => ({
        ...delivery,
        delivery_id: `1-${number}`,
        event_id: `${page}-${number}`,
        next_try: null,
        tries: [],
      }));
      return { items, next: page + 1 < sizes.length ? String(page + 1) : undefined };
    });

  it.each([
    { sizes: [3], wanted: 100, shown: 3, goesOn: false },
    { sizes: [100, 1], wanted: 100, shown: 100, goesOn: true },
    { sizes: [100, 1], wanted: 200, shown: 101, goesOn: false },
    { sizes: [100, 0], wanted: 100, shown: 100, goesOn: false },
  ])('of pages of $sizes shows $shown', async ({ sizes, wanted, shown, goesOn }) => {
    const log = await readLog(pagesOf(sizes), wanted);
    expect([log.deliveries.length, log.goesOn]).toEqual([shown, goesOn]);
  });
});

describe('remembered answers', () => {
  /** A service whose answer changes when it is told to. */
  function open() {
    const asked: (string | null)[] = [];
    const state = { etag: '"1"', body: '[1]', status: 200, type: 'application/json' };
    const request: typeof fetch = async (_, init) => {
      const tag = new Headers(init?.headers).get('if-none-match');
      asked.push(tag);
      if (tag === state.etag) return new Response(null, { status: 304 });
      const headers = {
        etag: state.etag,
        link: '<https://a/next>; rel="next"',
        'content-type': state.type,
      };
      return new Response(state.body, { status: state.status, headers });
    };
    return { asked, state, ask: rememberAnswers(request) };
  }

  it('are returned again while unchanged, with their headers', async () => {
    const { ask, asked } = open();
    await (await ask('/jobs/')).text();
    const again = await ask('/jobs/');
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual([1]);
    expect(again.headers.get('link')).toContain('next');
    expect(asked).toEqual([null, '"1"']);
  });

  it('are replaced when they change', async () => {
    const { ask, asked, state } = open();
    await ask('/jobs/');
    Object.assign(state, { etag: '"2"', body: '[2]' });
    expect(await (await ask('/jobs/')).json()).toEqual([2]);
    expect(await (await ask('/jobs/')).json()).toEqual([2]);
    expect(asked).toEqual([null, '"1"', '"2"']);
  });

  it('are kept by address, and only for GET', async () => {
    const { ask, asked } = open();
    await ask('/jobs/');
    await ask('/quotas/');
    await ask('/jobs/', { method: 'POST' });
    expect(asked).toEqual([null, null, null]);
  });

  it('leave out errors', async () => {
    const { ask, asked, state } = open();
    state.status = 503;
    expect((await ask('/jobs/')).status).toBe(503);
    await ask('/jobs/');
    expect(asked).toEqual([null, null]);
  });

  it('leave out files', async () => {
    const { ask, asked, state } = open();
    state.type = 'application/octet-stream';
    await ask('/files/a/');
    await ask('/files/a/');
    expect(asked).toEqual([null, null]);
  });

  it('keep the last hundred', async () => {
    const { ask, asked } = open();
    for (let page = 0; page <= 100; page += 1) await ask(`/jobs/?page=${page}`);
    await ask('/jobs/?page=1');
    await ask('/jobs/?page=0');
    expect(asked.slice(-2)).toEqual(['"1"', null]);
  });
});
