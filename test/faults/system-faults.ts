import type { Connector, Observation, SubmittedJob } from '#lib/hpc/connector.ts';
import { CredentialsRefusedError, SystemBusyError } from '#lib/hpc/errors.ts';
import { addFault } from '#lib/hpc/open/system-faults.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Clock } from './clock.ts';
import type { Fault } from './fault.ts';

/** The breaker pauses for 30 s, and for up to five minutes while trials fail. */
const pauseSeconds = 300;

/** Lists the faults of HPC systems: down, slow, wrong, and lying. */
export function listSystemFaults(random: () => number, clock: Clock): Fault[] {
  return [
    {
      name: 'system: down',
      leavesSeconds: pauseSeconds,
      system: (connector) => addFault(connector, { kind: 'down' }),
    },
    {
      name: 'system: every call takes 20 s',
      lasts: true,
      leavesSeconds: pauseSeconds,
      system: (connector) =>
        addFault(connector, { kind: 'slow', ms: 20_000 }, async (ms) => clock.pass(ms / 1000)),
    },
    {
      name: 'system: takes jobs and loses its answers',
      lasts: true,
      leavesSeconds: pauseSeconds,
      system: (connector) => addFault(connector, { kind: 'lose' }),
    },
    {
      name: 'system: busy',
      leavesSeconds: 60,
      system: (connector) => ({
        ...connector,
        async submit() {
          throw new SystemBusyError('busy', 60);
        },
      }),
    },
    {
      name: 'system: refuses the credentials',
      leavesSeconds: pauseSeconds,
      system(connector) {
        const refuse = async () => {
          throw new CredentialsRefusedError('no');
        };
        return { ...connector, submit: refuse, lookUp: refuse, checkHealth: refuse };
      },
    },
    {
      name: 'system: its answers make the connector fail',
      leavesSeconds: pauseSeconds,
      system: (connector) => ({
        ...connector,
        async lookUp(jobs) {
          if (random() < 0.5) throw new TypeError('Cannot read properties of undefined');
          return connector.lookUp(jobs);
        },
      }),
    },
    {
      name: 'system: answers for some jobs only',
      lasts: true,
      system: (connector) =>
        telling(connector, (observation) => (random() < 0.5 ? observation : undefined)),
    },
    {
      name: 'system: forgets all jobs for a while',
      system: (connector) => telling(connector, () => ({ state: 'unknown' })),
    },
    forgetWhileClockJumps(clock),
    {
      name: 'system: says that jobs have ended which nobody asked about',
      lasts: true,
      system: (connector) => sayEverythingEnded(connector),
    },
    {
      name: 'system: goes back to earlier stages',
      lasts: true,
      system: (connector) =>
        telling(connector, (observation, _, { first }) =>
          observation.state === 'living' && random() < 0.5
            ? { state: 'living', stage: first }
            : observation,
        ),
    },
    {
      name: 'system: lets ended jobs live again',
      liesAboutTime: true,
      system: (connector) =>
        telling(connector, (observation, _, { first }) => {
          if (random() < 0.3) return endedEarly;
          return observation.state === 'ended' ? { state: 'living', stage: first } : observation;
        }),
    },
    ...[1e6, Number.POSITIVE_INFINITY, Number.NaN, -3600].map(
      (seconds): Fault => ({
        name: `system: counts ${seconds} seconds`,
        lasts: true,
        liesAboutTime: true,
        system: (connector) =>
          telling(connector, (observation) =>
            observation.state === 'ended' ? { ...observation, usedSeconds: seconds } : observation,
          ),
      }),
    ),
    ...[3600, -3600, Number.NaN].map(
      (seconds): Fault => ({
        name: `system: its clock is ${seconds} seconds ahead`,
        lasts: true,
        system: (connector) =>
          telling(connector, (observation) => shiftTimes(observation, seconds)),
      }),
    ),
    {
      name: 'system: its clock is an hour behind, and it counts no time',
      lasts: true,
      liesAboutTime: true,
      system: (connector) =>
        telling(connector, (observation) => {
          const { usedSeconds: _, ...rest } = { usedSeconds: 0, ...shiftTimes(observation, -3600) };
          return rest as Observation;
        }),
    },
  ];
}

/** Between two answers the clock of the service is set ahead. The system knows its jobs later. */
function forgetWhileClockJumps(clock: Clock): Fault {
  let asked = 0;
  return {
    name: 'system: forgets all jobs while the clock jumps an hour ahead',
    leavesSeconds: pauseSeconds,
    system: (connector) => ({
      ...connector,
      async lookUp(jobs) {
        asked += 1;
        if (asked === 4) clock.jump(3600);
        return new Map(jobs.map(({ jobId }) => [jobId, { state: 'unknown' }]));
      },
    }),
  };
}

type Tell = (
  observation: Observation,
  job: SubmittedJob,
  words: { readonly first: string },
) => Observation | undefined;

/** Changes what a system says about each job. */
function telling(connector: Connector, tell: Tell): Connector {
  return {
    ...connector,
    async lookUp(jobs) {
      const honest = await connector.lookUp(jobs);
      const told = jobs.flatMap((job): [string, Observation][] => {
        const observation = honest.get(job.jobId);
        const first = job.jobId.startsWith('NGBW') ? 'QUEUE' : 'QUEUED';
        const changed = observation && tell(observation, job, { first });
        return changed ? [[job.jobId, changed]] : [];
      });
      return new Map(told);
    },
  };
}

const endedEarly = { state: 'ended', stage: 'FAILED', failed: true, usedSeconds: 10 } as const;

const seen = new Set<string>();

/** Adds wrong news of every job that it was ever asked about. */
function sayEverythingEnded(connector: Connector): Connector {
  return {
    ...connector,
    async lookUp(jobs) {
      const honest = await connector.lookUp(jobs);
      const lies = [...seen].map((jobId): [string, Observation] => [jobId, endedEarly]);
      for (const { jobId } of jobs) seen.add(jobId);
      return new Map([...lies, ...honest]);
    },
  };
}

function shiftTimes(observation: Observation, seconds: number): Observation {
  if (observation.state === 'living' && observation.steadyUntil) {
    return { ...observation, steadyUntil: addSeconds(observation.steadyUntil, seconds) };
  }
  if (observation.state === 'ended' && observation.endedAt) {
    return { ...observation, endedAt: addSeconds(observation.endedAt, seconds) };
  }
  return observation;
}
