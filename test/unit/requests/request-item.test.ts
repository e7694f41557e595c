import { expect, it } from 'vitest';
import { requestFromItem, requestToItem } from '#lib/requests/quota-request.ts';
import { requestItem } from '#test/fixtures/requests.ts';

it('keeps a request for a year after its end', () => {
  const request = requestFromItem(requestItem('declined'));
  const year = 365 * 24 * 3600;
  expect(requestToItem(request).expires_at).toBe(Number(request.endedAt) / 1000 + year);
});

it.each(['decided_by', 'decision_reason'])('reads no decision without its %s', (missing) => {
  const item = requestItem('approved', { [missing]: undefined });
  expect(requestFromItem(item).decision).toBeUndefined();
});

it.each(['granted_seconds', 'granted_kilobytes'])('reads no grant without its %s', (missing) => {
  const item = requestItem('approved', { [missing]: undefined });
  expect(requestFromItem(item).decision).not.toHaveProperty('granted');
});
