import { describe, expect, it } from 'vitest';
import { type StreamReader, streams } from '#functions/streams.ts';
import { renderText } from './render.ts';
import { findAll, findByPath, synthesize } from './synthesize.ts';

const templates = synthesize();
const { data, service } = templates;
const [tableId] = findByPath(data, 'Table/Resource');

it('makes one event source per reader of the stream', () => {
  expect(findAll(service, 'AWS::Lambda::EventSourceMapping')).toHaveLength(
    Object.keys(streams).length,
  );
});

describe.each(Object.entries<StreamReader>(streams))(
  'the reader %s',
  (name, { filters, takenUpBy }) => {
    const [functionId] = findByPath(service, `${name}/Function/Resource`);
    const [, { Properties }] = findByPath(service, `${name}-stream/Mapping/Resource`);

    it('is told of the changes of the table, from the oldest that is there, without delay', () => {
      expect(renderText(Properties.EventSourceArn, templates)).toBe(`<${tableId}.StreamArn>`);
      expect(Properties).toMatchObject({
        FunctionName: { Ref: functionId },
        StartingPosition: 'TRIM_HORIZON',
        MaximumBatchingWindowInSeconds: 0,
      });
    });

    it('is told only of what it asks for', () => {
      const { Filters } = Properties.FilterCriteria as { Filters: { Pattern: string }[] };
      expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual(
        filters.map(({ eventName, itemType, flag, kind }) => ({
          eventName,
          dynamodb: {
            NewImage: {
              type: { S: [itemType].flat() },
              ...(flag === undefined ? {} : { [flag]: { BOOL: [true] } }),
              ...(kind === undefined ? {} : { kind: { S: [kind] } }),
            },
          },
        })),
      );
    });

    it('names the changes that failed, and has them put aside in the end if nothing else has them', () => {
      expect(Properties).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BisectBatchOnFunctionError: true,
      });
      const destination = takenUpBy
        ? undefined
        : { 'Fn::GetAtt': [findByPath(service, `${name}-dead-letters/Resource`)[0], 'Arn'] };
      expect(Properties.DestinationConfig).toEqual(
        destination && { OnFailure: { Destination: destination } },
      );
    });

    it('holds up the changes behind a failed one for a bounded time', () => {
      expect(Properties.MaximumRetryAttempts).toBeLessThanOrEqual(100);
      expect(Properties.MaximumRecordAgeInSeconds).toBeLessThan(24 * 3600);
    });
  },
);

describe('a change that fails', () => {
  it('is told to dispatch-jobs three times more, because the schedule takes it up', () => {
    const [, { Properties }] = findByPath(service, 'dispatch-jobs-stream/Mapping/Resource');
    expect(Properties).toMatchObject({ BatchSize: 100, MaximumRetryAttempts: 3 });
  });

  it('is told to publish-events a hundred times, but not to the end of the stream', () => {
    const [, { Properties }] = findByPath(service, 'publish-events-stream/Mapping/Resource');
    expect(Properties).toMatchObject({
      BatchSize: 100,
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 23 * 3600,
    });
  });
});
