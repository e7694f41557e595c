import { randomUUID } from 'node:crypto';
import type { DeployedFunction } from '../deployed/deployed-function.ts';
import type { Outcome } from './outcome.ts';
import { type Sandbox, startSandbox, type Time } from './sandbox.ts';

/** What became of an invocation, with the figures of Lambda's REPORT line. */
export type Report = Outcome & {
  readonly requestId: string;
  /** Of the process that answered. */
  readonly pid?: number;
  /** Only where a process was started for it. */
  readonly initMs?: number;
  readonly megabytes?: number | undefined;
};

export interface LambdaFunction {
  /** In the time that the function has, unless another is given. */
  invoke(event: unknown, time?: Partial<Time>): Promise<Report>;
  /** The process that would answer the next event, if there is one. */
  sandbox(): Sandbox | undefined;
  /** What all of its processes wrote. */
  log(): string[];
  close(): Promise<void>;
}

/**
 * A function as Lambda keeps it: a process is started when there is none, gets one event at a time,
 * and is ended when its time is out. After that, or when it ended by itself, the next event starts
 * a new one.
 */
export function openFunction(
  runtime: string,
  deployed: DeployedFunction,
  environment: Readonly<Record<string, string>>,
): LambdaFunction {
  const { name } = deployed;
  const started: Sandbox[] = [];
  const current = () => {
    const last = started.at(-1);
    return last?.hasEnded() ? undefined : last;
  };
  return {
    async invoke(event, { seconds = deployed.seconds, overtimeSeconds = 0 } = {}) {
      const requestId = randomUUID();
      const kept = current();
      const sandbox = kept ?? (await startSandbox(runtime, deployed, environment));
      if ('errorType' in sandbox) return { requestId, error: sandbox };
      if (!kept) started.push(sandbox);
      const outcome = await sandbox.run(
        {
          requestId,
          functionArn: `arn:aws:lambda:eu-central-1:000000000000:function:${name}`,
          traceId: `Root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8)};Sampled=0`,
          deadline: Date.now() + seconds * 1000,
          event,
        },
        { seconds, overtimeSeconds },
      );
      const { pid, initMs } = sandbox;
      const megabytes = sandbox.peakMegabytes();
      return { ...outcome, requestId, pid, megabytes, ...(!kept && { initMs }) };
    },
    sandbox: current,
    log: () => started.flatMap(({ log }) => log),
    async close() {
      for (const sandbox of started) await sandbox.end();
    },
  };
}
