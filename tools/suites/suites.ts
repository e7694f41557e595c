/** A suite of tests beside `npm test`. */
export interface Suite {
  readonly about: string;
  /** The command, after the variables that it is run with. */
  readonly run: string;
}

/** By name, those that `.ci/run` runs first. What each needs is in docs/development.md. */
export const suites: Readonly<Record<string, Suite>> = {
  long: { about: 'files named *.long.test.ts', run: 'vitest run .long.test.ts' },
  client: {
    about: 'the client and the command against the whole service',
    run: 'CLIENT=1 vitest run --project client/service --maxWorkers=4',
  },
  python: { about: 'the Python package', run: 'node tools/python/test-python.ts' },
  infra: { about: 'the synthesized stacks', run: 'INFRA=1 vitest run --project infra' },
  policies: {
    about: 'what roles allow, and what functions call',
    run: 'POLICIES=1 vitest run --project integration --project service --project contract --project policies',
  },
  bundles: {
    about: 'every function as deployed',
    run: 'BUNDLES=1 vitest run --project bundles',
  },
  browser: { about: 'the console in Chromium', run: 'BROWSER=1 vitest run --project browser' },
  machine: {
    about: 'jobs as processes of this machine',
    run: 'MACHINE=1 vitest run --project machine --maxWorkers=4',
  },
  workstation: {
    about: 'one machine for a group, behind nginx',
    run: 'WORKSTATION=1 vitest run --project workstation',
  },
  load: { about: 'load, endurance and damaged data', run: 'LOAD=1 vitest run --project load' },
  dynamodb: {
    about: "the table's tests on DynamoDB Local",
    run: "DYNAMODB_LOCAL=1 vitest run --project integration -t 'DynamoDB Local'",
  },
  histories: {
    about: '1,000 histories of accounts against a model',
    run: 'MODEL_RUNS=1000 vitest run --project model',
  },
  contract: { about: 'the contract alone', run: 'vitest run --project contract' },
  matrix: {
    about: 'every route as every kind of caller',
    run: 'vitest run --project handlers test/handlers/matrix',
  },
  model: {
    about: '10,000 new histories of accounts',
    run: 'MODEL=long vitest run --project model',
  },
  linear: {
    about: 'histories of concurrent calls, searched for an order',
    run: 'LINEAR=long vitest run --project linear',
  },
  'linear-dynamodb': {
    about: 'the same on DynamoDB Local',
    run: "DYNAMODB_LOCAL=1 LINEAR=long vitest run --project linear -t 'DynamoDB Local'",
  },
  states: {
    about: 'every state of a few jobs under crashes',
    run: 'STATES=1 vitest run --project states',
  },
  engines: {
    about: 'the embedded table beside DynamoDB Local',
    run: 'DYNAMODB_LOCAL=1 LIKENESS_RUNS=2600 vitest run --project integration test/integration/embedded-likeness.test.ts',
  },
  'load-dynamodb': {
    about: 'load tests on DynamoDB Local',
    run: "DYNAMODB_LOCAL=1 LOAD=1 vitest run --project load -t 'DynamoDB Local'",
  },
  accounts: { about: 'pages through 100,000 accounts', run: 'node bench/accounts.ts' },
  kills: {
    about: 'the laptop edition, killed again and again',
    run: 'KILLS=1 vitest run --project kills',
  },
  faults: { about: 'some forty faults under load', run: 'FAULTS=1 vitest run --project faults' },
  fuzz: { about: '200,000 hostile requests', run: 'FUZZ=1 vitest run --project fuzz' },
  schemathesis: {
    about: 'all checks of Schemathesis',
    run: 'node test/schemathesis/run-schemathesis.ts',
  },
  lambda: {
    about: "every function in Lambda's own runtime client",
    run: 'LAMBDA=1 vitest run --project lambda',
  },
  deployed: {
    about: 'a deployment to an emulator of AWS',
    run: 'node tools/deployed/test-deployed.ts',
  },
  slurm: { about: 'a real Slurm', run: 'SLURM=1 vitest run --project slurm' },
  unicore: { about: 'a real UNICORE/X', run: 'UNICORE=1 vitest run --project unicore' },
  mutation: {
    about: 'mistakes in the sources that no test notices',
    run: 'node tools/mutation/mutate.ts',
  },
  'python-mutation': {
    about: 'the same in the Python package',
    run: 'node tools/python/mutate-python.ts',
  },
};
