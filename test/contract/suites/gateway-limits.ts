import { describe, expect } from 'vitest';
import { ask, askRaw, bearer } from '../ask.ts';
import { expectQuotas } from '../shapes.ts';
import { submit, zipOf } from '../submit.ts';
import { itNeeding, type Target } from '../target.ts';
import { watch } from '../witness.ts';

/** The limits of an HTTP API, which refuses in its own shape before any function is called. */
export function gatewayLimitsSuite(target: Target): void {
  describe('limits of the gateway', () => {
    const itLocally = itNeeding(target, 'process');

    itLocally('8 headers below 10,240 bytes are taken', async () => {
      const { token } = target.account();
      const padding = 'x'.repeat(9500 - token.length);
      const headers = [...Object.entries(bearer(token)).flat(), 'X-Padding', padding];
      expectQuotas(await askRaw(target, { path: '/quotas/', headers }));
    });

    itLocally('8 headers above 10,240 bytes are 431', async () => {
      const { token } = target.account();
      const padding = 'x'.repeat(10_240 - token.length);
      const headers = [...Object.entries(bearer(token)).flat(), 'X-Padding', padding];
      expect((await askRaw(target, { path: '/quotas/', headers })).status).toBe(431);
    });

    itLocally('8 many headers count together', async () => {
      const headers = Array.from({ length: 12 }, (_, index) => [`X-${index}`, 'x'.repeat(1000)]);
      const { status } = await askRaw(target, { path: '/status/', headers: headers.flat() });
      expect(status).toBe(431);
    });

    for (const [bytes, what] of [
      [10_000_001, 'a body above 10 MB'],
      [10_000_000, 'a body of 10 MB, which a function cannot take'],
      [5_000_000, 'a body above what a function takes once it is encoded'],
    ] as const) {
      itLocally(`8 ${what} is 413, and nothing is written`, async () => {
        const witness = await watch(target, target.account());
        await witness.expectNothingWrittenBy(async (account) => {
          const answer = await submit(target, account, { body: zipOf(bytes) });
          expect(answer.status).toBe(413);
          expect(answer.json).toEqual({ message: 'Request Entity Too Large' });
        });
      });
    }

    itLocally('8 a refused request leaves the next one alone', async () => {
      const { token } = target.account();
      await askRaw(target, { path: '/quotas/', headers: ['X', 'x'.repeat(11_000)] });
      expectQuotas(await ask(target, { path: '/quotas/', token }));
    });
  });
}
