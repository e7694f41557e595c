import { describe, expect, it } from 'vitest';
import { describeJobs } from '#local/welcome.ts';
import { catalog } from '../../fixtures/catalog.ts';
import { pricedSystem } from '../../fixtures/priced-systems.ts';

const say = (budget: number | undefined, systems = [pricedSystem('hpc_one')]) =>
  describeJobs(
    { machine: undefined, formerlySimulated: [] },
    { MONTHLY_BUDGET_USD: budget },
    systems,
  );

describe('the welcome of a laptop whose data is of a simulator', () => {
  it('says what becomes of its jobs, and how to go on with them', () => {
    const service = { machine: undefined, formerlySimulated: [...catalog.systems] };
    expect(describeJobs(service, { MONTHLY_BUDGET_USD: undefined }, [])).toBe(
      'Jobs of hpc_one, hpc_two in this data were simulated. They have no files here, and nobody follows those that still run. To go on with them, start with SYSTEMS=simulated.',
    );
  });
});

describe('the welcome of a laptop with a system on AWS Batch', () => {
  it('says what its jobs may cost in a month', () => {
    expect(say(20.5)).toBe(
      'Jobs of hpc_one run on AWS Batch, and AWS charges your account for them.\nThey may cost 20.5 US dollars in a month.',
    );
  });

  it('says how to limit the costs if nothing does', () => {
    expect(say(undefined)).toContain('Set MONTHLY_BUDGET_USD to limit it.');
  });

  it('says nothing about costs on other systems', () => {
    expect(say(20, [...catalog.systems])).not.toContain('cost');
  });
});
