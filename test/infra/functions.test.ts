import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scheduleNames } from '#functions/schedules.ts';
import { allFunctions, lambdaOf } from './functions-of.ts';
import { findAll, findByPath, joinServing, production, synthesize } from './synthesize.ts';

const templates = synthesize();
const service = joinServing(templates);

it('makes one function per declaration, and no other', () => {
  expect(findAll(service, 'AWS::Lambda::Function')).toHaveLength(allFunctions.length);
});

describe.each(allFunctions)('the function $name', ({ name, file, seconds }) => {
  const { Properties } = lambdaOf(templates, name);

  it('has a file to be bundled from', () => {
    expect(existsSync(`functions/${file}.ts`)).toBe(true);
  });

  it('runs on Node 24, arm64, with its memory and time set', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: seconds,
    });
  });

  it('traces, and writes JSON into a log of its own that ends some day', () => {
    const [logId, log] = findByPath(service, `${name}/Log/Resource`);
    expect(Properties).toMatchObject({
      LoggingConfig: {
        LogFormat: 'JSON',
        ApplicationLogLevel: 'INFO',
        LogGroup: { Ref: logId },
      },
    });
    expect(log.Properties).toMatchObject({ RetentionInDays: 30 });
    expect(log.DeletionPolicy).toBe('Delete');
  });

  it('is named after its stage, so that two stages can live in one account', () => {
    expect(Properties.FunctionName).toMatch(new RegExp(`^slipway-dev-(\\w+-)?${name}$`));
    const { FunctionName } = lambdaOf(synthesize(production), name).Properties;
    expect(FunctionName).toBe(String(Properties.FunctionName).replace('-dev-', '-prod-'));
  });

  it('reserves nothing', () => {
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });
});

it('only the runs by the clock are not logged while they succeed', () => {
  const quiet = allFunctions
    .filter(({ name }) =>
      JSON.stringify(lambdaOf(templates, name).Properties.LoggingConfig).includes('WARN'),
    )
    .map(({ name }) => name);
  expect(quiet.toSorted()).toEqual(scheduleNames.toSorted());
});

it('only the function that fetches files for jobs has a larger disk', () => {
  const disks = allFunctions.flatMap(({ name }) => {
    const { EphemeralStorage } = lambdaOf(templates, name).Properties;
    return EphemeralStorage === undefined ? [] : [{ name, EphemeralStorage }];
  });
  expect(disks).toEqual([{ name: 'release-jobs', EphemeralStorage: { Size: 4096 } }]);
});

describe('logs', () => {
  it('are kept for three months in production, and outlive the stack, unless its creation fails', () => {
    for (const [, log] of findAll(joinServing(synthesize(production)), 'AWS::Logs::LogGroup')) {
      expect(log.Properties).toMatchObject({ RetentionInDays: 90 });
      expect(log.DeletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it('are kept as long as the operator says', () => {
    const logs = findAll(joinServing(synthesize({ logDays: '365' })), 'AWS::Logs::LogGroup');
    expect(logs).toHaveLength(allFunctions.length + 1);
    for (const [, { Properties }] of logs) {
      expect(Properties).toMatchObject({ RetentionInDays: 365 });
    }
  });
});

describe('concurrency', () => {
  it('is reserved for the functions that the operator names, and for no others', () => {
    const reserving = synthesize({ reservedConcurrency: 'queue-deliveries:20, read-files:7' });
    const reserved = allFunctions.flatMap(({ name }) => {
      const { ReservedConcurrentExecutions: count } = lambdaOf(reserving, name).Properties;
      return count === undefined ? [] : [[name, count]];
    });
    expect(Object.fromEntries(reserved)).toEqual({ 'queue-deliveries': 20, 'read-files': 7 });
  });
});
