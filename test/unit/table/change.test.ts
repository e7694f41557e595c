import { describe, expect, it } from 'vitest';
import { writeChange } from '#lib/table/change.ts';

describe('writeChange', () => {
  it('sets, computes, removes and adds, under the conditions that it names', () => {
    const change = writeChange({
      set: { stage: 'RUNNING', due: undefined },
      compute: { stages: 'list_append(stages, :moment)' },
      add: { attempts: 1 },
      expect: { due_at: '2026', cancel_pending: undefined },
      when: ['(attempts < :most OR :stage = stage)'],
      values: { ':moment': ['now'], ':most': 3 },
    });
    expect(change).toEqual({
      UpdateExpression:
        'SET #stage = :stage, #stages = list_append(stages, :moment) ' +
        'REMOVE #due ADD #attempts :added_attempts',
      ConditionExpression:
        '#due_at = :seen_due_at AND attribute_not_exists(#cancel_pending) AND ' +
        '(attempts < :most OR :stage = stage)',
      ExpressionAttributeNames: {
        '#stage': 'stage',
        '#due': 'due',
        '#stages': 'stages',
        '#attempts': 'attempts',
        '#due_at': 'due_at',
        '#cancel_pending': 'cancel_pending',
      },
      ExpressionAttributeValues: {
        ':stage': 'RUNNING',
        ':added_attempts': 1,
        ':seen_due_at': '2026',
        ':moment': ['now'],
        ':most': 3,
      },
    });
  });

  it('leaves out what the table refuses if it is empty', () => {
    expect(writeChange({ set: { due: undefined } })).toEqual({
      UpdateExpression: 'REMOVE #due',
      ExpressionAttributeNames: { '#due': 'due' },
    });
  });

  it('sets false, 0 and empty texts', () => {
    expect(writeChange({ set: { failed: false, used: 0, reason: '' } })).toMatchObject({
      UpdateExpression: 'SET #failed = :failed, #used = :used, #reason = :reason',
      ExpressionAttributeValues: { ':failed': false, ':used': 0, ':reason': '' },
    });
  });
});
