import { expect, it } from 'vitest';
import { fixed } from '#tools/costs/compute-costs.ts';
import { findAll, synthesize } from './synthesize.ts';

it.each([
  { what: 'secrets', type: 'AWS::SecretsManager::Secret', counted: fixed.secrets },
  { what: 'keys', type: 'AWS::KMS::Key', counted: fixed.keys },
])('counts as many $what as the templates have', ({ type, counted }) => {
  const { data, service } = synthesize();
  expect([...findAll(data, type), ...findAll(service, type)]).toHaveLength(counted);
});
