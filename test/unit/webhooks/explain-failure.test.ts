import { describe, expect, it } from 'vitest';
import { explainFailure } from '#lib/webhooks/push/explain-failure.ts';

const coded = (code: string) => Object.assign(new Error('at 10.0.0.1'), { code });

describe('why a push failed', () => {
  it.each([
    { code: 'ENOTFOUND', reason: 'the host name is unknown' },
    { code: 'CERT_HAS_EXPIRED', reason: 'the certificate has expired' },
    { code: 'HPE_HEADER_OVERFLOW', reason: 'the headers of the answer are too long' },
    { code: 'HPE_INVALID_CONSTANT', reason: 'the answer is not HTTP' },
    { code: 'EMFILE', reason: 'the call failed (EMFILE)' },
  ])('is told for $code: $reason', ({ code, reason }) => {
    expect(explainFailure(coded(code))).toBe(reason);
  });

  it('is not told where nobody knows, and shows no address', () => {
    expect(explainFailure(new Error('at 10.0.0.1'))).toBe('the call failed');
    expect(explainFailure('at 10.0.0.1')).toBe('the call failed');
  });
});
