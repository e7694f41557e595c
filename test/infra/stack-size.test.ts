import { expect, it } from 'vitest';
import { synthesize, withConsole, withDomain, withNetwork } from './synthesize.ts';

/** CloudFormation takes 500 resources in a stack; each further HPC system adds three. */
const most = 480;

it.each([{}, { ...withDomain, ...withConsole, ...withNetwork }])(
  'leaves room for further systems in the stack of the service: %j',
  (context) => {
    const { service } = synthesize(context);
    expect(Object.keys(service.Resources).length).toBeLessThanOrEqual(most);
  },
);
