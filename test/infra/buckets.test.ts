import { describe, expect, it } from 'vitest';
import { writeBucketCatalog } from './bucket-catalog.ts';
import { allowedOf } from './compare-roles.ts';
import { declaredFunctions } from './functions-of.ts';
import { synthesize } from './synthesize.ts';

describe('the buckets of a catalog', () => {
  it('may be read and written by the functions that sign or fetch, in the named parts alone', () => {
    const templates = synthesize({ catalog: writeBucketCatalog('on-s3') });
    const found = declaredFunctions.flatMap(({ name }) =>
      allowedOf(templates, name)
        .filter(({ resources }) => resources.some((each) => each.includes(':::lab-')))
        .map((each) => ({ name, ...each })),
    );
    expect(found).toEqual([
      {
        name: 'hand-out-input',
        actions: ['s3:GetObject'],
        resources: ['arn:<AWS::Partition>:s3:::lab-data/public/*'],
        conditions: {},
      },
      {
        name: 'take-results',
        actions: ['s3:PutObject'],
        resources: ['arn:<AWS::Partition>:s3:::lab-results/*'],
        conditions: {},
      },
      {
        name: 'release-jobs',
        actions: ['s3:GetObject'],
        resources: ['arn:<AWS::Partition>:s3:::lab-data/public/*'],
        conditions: {},
      },
    ]);
  });

  it('are refused in a storage that no role can sign for', () => {
    const catalog = writeBucketCatalog('elsewhere', { endpoint: 'https://minio.example.org' });
    expect(() => synthesize({ catalog })).toThrow(/would use buckets of a storage other than S3/);
  });
});
