import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { takeNumbers } from '#lib/table/counter.ts';
import { PartitionFullError, TableBusyError, TableUnavailableError } from '#lib/table/errors.ts';
import { openTable } from '#lib/table/table.ts';
import { translateFailure } from '#lib/table/translate-failures.ts';

function serviceException(name: string, $fault: 'client' | 'server') {
  return new DynamoDBServiceException({ name, $fault, $metadata: {} });
}

describe('translateFailure', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'TransactionConflictException',
  ])('takes %s for a busy table', (name) => {
    const error = serviceException(name, 'client');
    expect(translateFailure(error)).toEqual(new TableBusyError());
    expect(translateFailure(error)).toHaveProperty('cause', error);
  });

  it.each([
    ['a fault of the service', serviceException('InternalServerError', 'server')],
    ['a time-out', Object.assign(new Error('too late'), { name: 'TimeoutError' })],
    ['a refused connection', Object.assign(new Error('no'), { code: 'ECONNREFUSED' })],
  ])('takes %s for a table out of reach', (_, error) => {
    expect(translateFailure(error)).toEqual(new TableUnavailableError());
    expect(translateFailure(error)).toHaveProperty('cause', error);
  });

  it('takes a collection of items beyond its limit for a full partition', () => {
    const error = serviceException('ItemCollectionSizeLimitExceededException', 'client');
    expect(translateFailure(error)).toEqual(new PartitionFullError());
    expect(translateFailure(error)).toHaveProperty('cause', error);
  });

  it('leaves what the request itself did wrong', () => {
    const error = serviceException('ValidationException', 'client');
    expect(translateFailure(error)).toBe(error);
  });

  it.each(['text', undefined, null])('leaves %s, which is no error', (thrown) => {
    expect(translateFailure(thrown)).toBe(thrown);
  });

  it('is in the way of every call of an opened table', async () => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    await expect(takeNumbers(openTable('nowhere'), 'job')).rejects.toBeInstanceOf(
      TableUnavailableError,
    );
  });
});
