import { describe, expect, it } from 'vitest';
import type { Target } from '../target.ts';

/** Beyond the contract: what describes it, where it is served. Nobody needs a token for it. */
export function referenceSuite(target: Target): void {
  describe('the description and the reference', () => {
    it.each(['/openapi.json', '/openapi.json/'])('%s is a document of OpenAPI', async (path) => {
      const response = await fetch(`${target.url}${path}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/' }] });
      expect(response.headers.get('cache-control')).toMatch(/^public/);
    });

    it.each(['', '/'])('a document says where users sign in%s', async (slash) => {
      const response = await fetch(`${target.url}/.well-known/oauth-protected-resource${slash}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        resource: expect.stringMatching(/^https?:/),
        bearer_methods_supported: ['header'],
      });
    });

    it.each(['/docs/', '/docs'])('%s is a page whose files are there, packed', async (path) => {
      const page = await (await fetch(`${target.url}${path}`)).text();
      const named = [...page.matchAll(/"(\/docs\/reference\.[^"]+)"/g)].map(([, at]) => at);
      expect(named).toHaveLength(2);
      for (const file of named) {
        const headers = { 'accept-encoding': 'gzip' };
        const response = await fetch(`${target.url}${file}`, { headers });
        expect([file, response.status]).toEqual([file, 200]);
        expect(response.headers.get('content-encoding')).toBe('gzip');
        expect(await response.text()).toMatch(/submitJob|color-scheme: light dark/);
      }
    });

    it('HEAD has no body, and a tag saves sending it again', async () => {
      const head = await fetch(`${target.url}/openapi.json`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const held = { 'if-none-match': String(head.headers.get('etag')) };
      const again = await fetch(`${target.url}/openapi.json`, { headers: held });
      expect(again.status).toBe(304);
    });

    it.each(['/docs/', '/openapi.json'])('nothing can be sent to %s', async (path) => {
      const response = await fetch(`${target.url}${path}`, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });
}
