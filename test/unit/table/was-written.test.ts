import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { unlessRefused, wasWritten } from '#lib/table/writes.ts';

const refused = () =>
  Promise.reject(new ConditionalCheckFailedException({ $metadata: {}, message: 'no' }));
const down = () => Promise.reject(new Error('down'));

describe('a write with a condition', () => {
  it('gives its answer where it took place', async () => {
    expect(await unlessRefused(Promise.resolve('answer'))).toBe('answer');
    expect(await wasWritten(Promise.resolve({}))).toBe(true);
  });

  it('gives nothing where it was refused', async () => {
    expect(await unlessRefused(refused())).toBeUndefined();
    expect(await wasWritten(refused())).toBe(false);
  });

  it('fails where it failed', async () => {
    await expect(unlessRefused(down())).rejects.toThrow('down');
    await expect(wasWritten(down())).rejects.toThrow('down');
  });
});
