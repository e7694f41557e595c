import { afterEach, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '#local/gateway/start-gateway.ts';
import { startStorage } from '#local/storage/start-storage.ts';

const page = 'https://console.example.org';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openGateway(corsOrigins?: readonly string[]): Promise<Gateway> {
  const answer = async () => ({ statusCode: 405, body: 'x' });
  const gateway = await startGateway({
    handlers: new Map([['$default', answer]]),
    port: 0,
    slashes: 'exact',
    ...(corsOrigins && { corsOrigins }),
  });
  closing.push(gateway.close);
  return gateway;
}

function ask(url: string, method: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method, headers: { connection: 'close', ...headers } });
}

const preflight = { origin: page, 'access-control-request-method': 'POST' };

describe('the gateway before pages of other origins', () => {
  it('answers preflights without a function', async () => {
    const { url } = await openGateway([page]);
    const answer = await ask(`${url}/jobs/hpc_one/`, 'OPTIONS', preflight);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
    const headers = answer.headers.get('access-control-allow-headers')?.split(',');
    expect(headers).toEqual(
      expect.arrayContaining(['authorization', 'payload', 'if-none-match', 'idempotency-key']),
    );
    expect(answer.headers.get('access-control-max-age')).toBe('3600');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('lets them read answers, refusals and the id of the request', async () => {
    const { url } = await openGateway([page]);
    const answer = await ask(url, 'GET', { origin: page });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(answer.headers.get('vary')).toBe('Origin');
    const exposed = answer.headers.get('access-control-expose-headers')?.split(',');
    expect(exposed).toEqual(expect.arrayContaining(['apigw-requestid', 'etag', 'link']));
    expect(answer.headers.get('apigw-requestid')).toMatch(/^\w{16}$/);
  });

  it.each(['https://other.example.org', 'null', `${page}.evil.example`])(
    'tells %s nothing',
    async (origin) => {
      const { url } = await openGateway([page]);
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask(url, method, { ...preflight, origin });
        expect(headers.has('access-control-allow-origin')).toBe(false);
        expect(headers.has('access-control-allow-methods')).toBe(false);
      }
    },
  );

  it('refuses all of them if no origin is allowed', async () => {
    const { url } = await openGateway();
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await ask(url, method, preflight);
      expect(answer.status).toBe(403);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
  });

  it('refuses others before any function or the sign-in is asked', async () => {
    const asked: string[] = [];
    const note = (what: string) => {
      asked.push(what);
      return { statusCode: 200 };
    };
    const gateway = await startGateway({
      handlers: new Map([['$default', async () => note('function')]]),
      port: 0,
      slashes: 'exact',
      beside: () => note('beside'),
      corsOrigins: [page],
    });
    closing.push(gateway.close);
    const answer = await ask(gateway.url, 'POST', { origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: expect.stringContaining('CORS_ORIGINS'),
    });
    expect(asked).toEqual([]);
  });
});

describe('the storage before pages of other origins', () => {
  async function openStorage(): Promise<string> {
    const { endpoint, close } = await startStorage({
      buckets: ['a'],
      credentials: { region: 'eu-central-1', accessKeyId: 'local', secretAccessKey: 'local' },
      corsOrigins: () => [page],
    });
    closing.push(close);
    return endpoint;
  }

  it('lets allowed origins send files', async () => {
    const endpoint = await openStorage();
    const answer = await ask(`${endpoint}/a/b`, 'OPTIONS', {
      origin: page,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'if-none-match',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(answer.headers.get('access-control-allow-methods')).toBe('PUT');
    expect(answer.headers.get('access-control-allow-headers')).toContain('if-none-match');
  });

  it('lets no other origin send files', async () => {
    const endpoint = await openStorage();
    const answer = await ask(`${endpoint}/a/b`, 'OPTIONS', {
      origin: 'https://other.example.org',
      'access-control-request-method': 'PUT',
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  it.each([page, 'null'])('lets %s read what it answers, a refusal too', async (origin) => {
    const endpoint = await openStorage();
    const answer = await ask(`${endpoint}/a/b`, 'GET', { origin });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.text()).toContain('AccessDenied');
  });

  it('refuses a page of another origin before it looks at the signature', async () => {
    const endpoint = await openStorage();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await ask(`${endpoint}/a/b`, method, { origin: 'https://other.example.org' });
      expect(answer.status).toBe(403);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      expect(await answer.text()).toContain('Pages of this origin may not use the storage.');
    }
    const write = await ask(`${endpoint}/a/b`, 'PUT', { origin: 'null' });
    expect(await write.text()).toContain('Pages of this origin may not use the storage.');
  });

  it('lets nobody delete', async () => {
    const endpoint = await openStorage();
    const answer = await ask(`${endpoint}/a/b`, 'OPTIONS', {
      origin: page,
      'access-control-request-method': 'DELETE',
    });
    expect(answer.status).toBe(403);
  });
});
