import { describe, expect, it } from 'vitest';
import { judgeInputs } from '#lib/catalog/input-addresses.ts';

const inputs = {
  hosts: ['data.example.org'],
  buckets: [
    { name: 'lab-data', prefix: 'public/', region: 'eu-central-1' },
    { name: 'whole-lab', region: 'us-east-1' },
  ],
};

const messagesOf = (from: string) =>
  judgeInputs({ inputs }, [{ from, to: 'a' }]).map(({ message }) => message);

describe('an object in a bucket', () => {
  it.each(['s3://lab-data/public/a.nc', 's3://whole-lab/a b/ü?#%41.nc', 's3://whole-lab/a'])(
    'may be %s',
    (from) => expect(messagesOf(from)).toEqual([]),
  );

  it.each([
    [
      's3://lab-data/private/a',
      'This system does not allow s3://lab-data/private/a. Allowed: s3://lab-data/public/*, s3://whole-lab/*.',
    ],
    [
      's3://lab-data/public/../private/a',
      'Its key must not have empty parts, . or .. between slashes.',
    ],
    ['s3://lab-data/public//a', 'Its key must not have empty parts, . or .. between slashes.'],
    ['s3://whole-lab/a/', 'Its key must not have empty parts, . or .. between slashes.'],
    [
      's3://whole-lab/a\\b',
      'Its key must not contain backslashes, control characters or broken Unicode.',
    ],
    [
      's3://whole-lab/a\nb',
      'Its key must not contain backslashes, control characters or broken Unicode.',
    ],
    ['s3://whole-lab/', 'It must name a bucket and a key, such as s3://lab-data/a.nc.'],
    ['s3://whole-lab', 'It must name a bucket and a key, such as s3://lab-data/a.nc.'],
    [`s3://whole-lab/${'ü'.repeat(513)}`, 'Its key has 1026 bytes, but at most 1024 are allowed.'],
    [
      'S3://whole-lab/a',
      'This system fetches nothing from s3://whole-lab. Allowed: data.example.org, by https.',
    ],
  ])('is never %j', (from, message) => expect(messagesOf(from)).toEqual([message]));
});
