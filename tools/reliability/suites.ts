/** A suite of proof, as docs/reliability.md describes it. */
export interface ProofSuite {
  readonly title: string;
  readonly command: string;
  /** What it tries and what must hold, in one or two sentences. */
  readonly shows: string;
  /** True if the first figure of its last run belongs into the sentence of the README. */
  readonly inReadme?: true;
}

/** All suites whose last run the page shows, in its order. A suite that has no run yet is left off. */
export const proofSuites: Readonly<Record<string, ProofSuite>> = {
  states: {
    title: 'Every state of a model',
    command: 'npm run suite -- states',
    shows:
      'Hold, unfold, settle, refund and crash as a small state machine, of which every state is visited. No job is lost or doubled, no hold is settled twice or never, and no state is a dead end.',
    inReadme: true,
  },
  histories: {
    title: 'Random histories of accounts',
    command: 'npm run suite -- histories',
    shows:
      'Random histories of up to 200 steps with crashes and conflicts in between. After every step accounts, ledgers and costs equal a model of plain numbers.',
  },
  linear: {
    title: 'Linearizability of accounts',
    command: 'npm run suite -- linear',
    shows:
      'Concurrent submissions, batches, grants, shares, ends and reads in one project. Their answers must be explained by one order in which they happened one at a time.',
    inReadme: true,
  },
  'linear-http': {
    title: 'The same over HTTP',
    command: 'npm run suite -- linear',
    shows: 'The same calls to the laptop edition, which runs as a process of its own.',
  },
  'linear-kills': {
    title: 'The same with kills',
    command: 'npm run suite -- linear',
    shows:
      'The same again, while the laptop edition is killed and started with its folder. A call without an answer may have happened once, or not at all.',
  },
  'linear-dynamodb': {
    title: 'The same on DynamoDB Local',
    command: 'npm run suite -- linear-dynamodb',
    shows: 'The rules and stores in one process, with DynamoDB Local as their table.',
  },
  engines: {
    title: 'The embedded table beside DynamoDB Local',
    command: 'npm run suite -- engines',
    shows:
      'Random requests and expressions sent to both. Answers, refusals and consumed capacity must be the same, except for a list of differences with reasons.',
  },
  fuzz: {
    title: 'Fuzzing over HTTP',
    command: 'npm run suite -- fuzz',
    shows:
      'Hostile requests made from the API description, and raw sockets. None is answered with a 5xx, slowly, or outside of the description, no refusal is larger than 20 times its request, and a refused request writes nothing. The heap does not grow.',
    inReadme: true,
  },
  schemathesis: {
    title: 'Schemathesis',
    command: 'npm run suite -- schemathesis',
    shows:
      'All checks of Schemathesis against the laptop edition, with the description that it serves: examples, edge cases, random requests, and histories along its links, as a user and as an administrator. What it may refuse although the description allows it is a list with reasons.',
  },
  matrix: {
    title: 'Callers and routes',
    command: 'npm run suite -- matrix',
    shows:
      'Every route with every kind of caller, every bad token and every form of its path. Each cell has an expected answer, a refusal writes nothing, and nobody sees what belongs to another user.',
    inReadme: true,
  },
  faults: {
    title: 'Faults',
    command: 'npm run suite -- faults',
    shows:
      'One scene of submissions, batches, chains, cancels and ends under each fault: the table, the storage, the bus and the secrets fail, systems are down, slow, wrong or lie, messages come twice, late and out of order, functions are killed and clocks jump. Two rounds of the schedules after a fault and what it leased, nothing is stuck. No accepted job is lost or doubled, and accounts are exact.',
  },
  'faults-processes': {
    title: 'Faults of the process',
    command: 'npm run suite -- faults',
    shows:
      'The laptop edition under load, killed, frozen, on a full disk, with files that may not grow, and with a clock that jumps. It goes on with its folder, and nothing is lost or doubled.',
  },
  kills: {
    title: 'Kills',
    command: 'npm run suite -- kills',
    shows:
      'Jobs with webhooks while the laptop edition is killed and started again. Every accepted job runs, and both of its events arrive.',
  },
  'kills-machine': {
    title: 'Kills on one machine',
    command: 'npm run suite -- kills',
    shows:
      'Jobs as processes of the machine, while the service and their shepherds are killed. Each job runs once, is charged what it ran, and leaves no process behind.',
  },
  standby: {
    title: 'A lost machine',
    command: 'npm run suite -- standby',
    shows:
      'The laptop edition under load is killed and its data folder removed. A second one takes over from the replica. No accepted job is lost, none is doubled when callers send again what was not answered, and accounts are exact. The old service is refused when it comes back.',
  },
  oversell: {
    title: 'Oversell',
    command: 'npm run bench -- oversell',
    shows:
      'More submissions at once than a quota suffices for, and the laptop edition killed while it accepts them. Nothing is sold beyond the quota, lost, doubled or refused without need, and the account is exact.',
  },
  steady: {
    title: 'Load held',
    command: 'npm run bench -- steady',
    shows:
      'Half an hour at 80 percent of the load that the laptop edition sustains, measured in the same run: jobs and batches with their whole lives, webhooks, downloads and open consoles. No request fails, memory stays flat, and answers do not become slower. In the end every job is settled once, every event has arrived, and accounts are exact.',
  },
};
