/** A suite of tests beside `npm test`. */
export interface Suite {
  readonly about: string;
  /** The command, after the variables that it is run with. */
  readonly run: string;
}

const suite = (about: string, run: string): Suite => ({ about, run });

/** By name, those that `.ci/run` runs first. What each needs is in docs/development.md. */
export const suites: Readonly<Record<string, Suite>> = {
  long: suite('files named *.long.test.ts', 'vitest run .long.test.ts'),
  client: suite(
    'the client and the command against the whole service',
    'CLIENT=1 vitest run --project client/service --maxWorkers=4',
  ),
  python: suite('the Python package', 'node tools/python/test-python.ts'),
  infra: suite('the synthesized stacks', 'INFRA=1 vitest run --project infra'),
  policies: suite(
    'what roles allow, and what functions call',
    'POLICIES=1 vitest run --project integration --project service --project contract --project policies',
  ),
  bundles: suite('every function as deployed', 'BUNDLES=1 vitest run --project bundles'),
  browser: suite('the console in Chromium', 'BROWSER=1 vitest run --project browser'),
  sizes: suite(
    'all pages of the console with nothing, ten jobs, 10,000, and a whole centre',
    'SIZES=1 vitest run --project browser/sizes --maxWorkers=1',
  ),
  machine: suite(
    'jobs as processes of this machine',
    'MACHINE=1 vitest run --project machine --maxWorkers=4',
  ),
  workstation: suite(
    'a server of your own: the archive, nginx, restarts',
    'WORKSTATION=1 vitest run --project workstation',
  ),
  load: suite('load, endurance and damaged data', 'LOAD=1 vitest run --project load'),
  dynamodb: suite(
    "the table's tests on DynamoDB Local",
    "DYNAMODB_LOCAL=1 vitest run --project integration -t 'DynamoDB Local'",
  ),
  histories: suite(
    '1,000 histories of accounts against a model',
    'MODEL_RUNS=1000 vitest run --project model',
  ),
  contract: suite('the contract alone', 'vitest run --project contract'),
  matrix: suite(
    'every route as every kind of caller',
    'vitest run --project handlers test/handlers/matrix',
  ),
  model: suite('10,000 new histories of accounts', 'MODEL=long vitest run --project model'),
  linear: suite(
    'histories of concurrent calls, searched for an order',
    'LINEAR=long vitest run --project linear',
  ),
  'linear-dynamodb': suite(
    'the same on DynamoDB Local',
    "DYNAMODB_LOCAL=1 LINEAR=long vitest run --project linear -t 'DynamoDB Local'",
  ),
  states: suite('every state of a few jobs under crashes', 'STATES=1 vitest run --project states'),
  engines: suite(
    'the embedded table beside DynamoDB Local',
    'DYNAMODB_LOCAL=1 LIKENESS_RUNS=2600 vitest run --project integration test/integration/embedded-likeness.test.ts',
  ),
  'load-dynamodb': suite(
    'load tests on DynamoDB Local',
    "DYNAMODB_LOCAL=1 LOAD=1 vitest run --project load -t 'DynamoDB Local'",
  ),
  kills: suite('the laptop edition, killed again and again', 'KILLS=1 vitest run --project kills'),
  standby: suite(
    'a machine that is lost under load, and a standby that goes on',
    'STANDBY=1 vitest run --project standby',
  ),
  faults: suite('some forty faults under load', 'FAULTS=1 vitest run --project faults'),
  fuzz: suite('200,000 hostile requests', 'FUZZ=1 vitest run --project fuzz'),
  schemathesis: suite('all checks of Schemathesis', 'node test/schemathesis/run-schemathesis.ts'),
  generators: suite(
    'clients that common generators make from docs/openapi.json',
    'node test/generators/run-generators.ts',
  ),
  lambda: suite(
    "every function in Lambda's own runtime client",
    'LAMBDA=1 vitest run --project lambda',
  ),
  iam: suite(
    'what roles allow, as an AWS of others decides it',
    'IAM=1 POLICIES=1 vitest run --project integration --project service --project contract --project iam',
  ),
  deployed: suite('a deployment to an emulator of AWS', 'node tools/deployed/test-deployed.ts'),
  workflows: suite(
    'workflows of a real Snakemake, Parsl and Nextflow, as jobs of this machine',
    'node tools/python/test-workflows.ts',
  ),
  release: suite(
    'the packages of a release, as registries check and people install them',
    'node tools/release/check-release.ts',
  ),
  slurm: suite('a real Slurm', 'SLURM=1 vitest run --project slurm'),
  unicore: suite('a real UNICORE/X', 'UNICORE=1 vitest run --project unicore'),
  mutation: suite('mistakes in the sources that no test notices', 'node tools/mutation/mutate.ts'),
  'python-mutation': suite('the same in the Python package', 'node tools/python/mutate-python.ts'),
};
