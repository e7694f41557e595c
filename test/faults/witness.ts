import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ServiceError } from '#local/dynamodb/values/errors.ts';
import type { DeployedAlarms } from '../fixtures/alarms/deployed-alarms.ts';
import { matchesPattern } from '../fixtures/alarms/matches-pattern.ts';
import { bucketMs, MetricData } from '../fixtures/alarms/metric-data.ts';

/** A line from which CloudWatch makes a metric. */
const MetricLine = v.looseObject({
  _aws: v.object({
    CloudWatchMetrics: v.tuple([
      v.object({
        Namespace: v.string(),
        Dimensions: v.tuple([v.array(v.string())]),
        Metrics: v.tuple([v.object({ Name: v.string() })]),
      }),
    ]),
  }),
});

/** Answers take this long, because faults of the scenes do not slow them down. */
const answerMs = 50;

type Middleware = (next: () => Promise<never>) => (parameters: object) => Promise<never>;

/**
 * Notes what CloudWatch would learn of a scene: metrics that functions write themselves, and those
 * that AWS counts about their runs, answers, the stream and the dead-letter queues.
 */
export class Witness {
  readonly data = new MetricData();
  readonly #alarms: DeployedAlarms;
  readonly #patterns: ReadonlySet<string>;
  readonly #began = Math.ceil(Date.now() / bucketMs) * bucketMs;
  readonly #counted = performance.now();
  readonly #putAside = new Map<string, number>();
  /** Counts what the table refuses, as on the SDK's stack, which an engine in this process skips. */
  #countFaults: Middleware = (next) => () => next();

  constructor(alarms: DeployedAlarms) {
    this.#alarms = alarms;
    this.#patterns = new Set([...alarms.filters.values()].map(({ pattern }) => pattern));
  }

  /** The clock of AWS, which no fault sets. It begins with a period. */
  now(): number {
    return this.#began + performance.now() - this.#counted;
  }

  /** Takes the service's own counter of the table's faults, loaded with its environment. */
  async load(): Promise<this> {
    const { countTableFaults } = await import('#lib/telemetry/count-table-faults.ts');
    const add = (middleware: Middleware) => {
      this.#countFaults = middleware;
    };
    countTableFaults({ middlewareStack: { add } } as unknown as DynamoDBDocumentClient);
    return this;
  }

  /** Reads a line that a function wrote, with the filter of its log and as a metric. */
  logged(line: string): void {
    for (const pattern of this.#patterns) {
      if (matchesPattern(pattern, line)) throw new Error(`It counts as a failed run: ${line}`);
    }
    if (!line.startsWith('{"_aws"')) return;
    const { _aws, ...fields } = v.parse(MetricLine, JSON.parse(line));
    const [{ Namespace: namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    const [{ Name: name }] = Metrics;
    const dimensions = Object.fromEntries(
      Dimensions[0].map((dimension) => [dimension, String(fields[dimension])]),
    );
    this.data.add({ namespace, name, dimensions }, this.now(), Number(fields[name]));
  }

  /** A run ends with a line of Lambda's own, which the filter of the function's log reads. */
  ran(name: string, isWell: boolean): void {
    const filter = this.#alarms.filters.get(name);
    if (!filter) throw new Error(`Nothing reads the log of ${name}.`);
    const status = isWell ? 'success' : 'error';
    const line = { type: 'platform.report', record: { requestId: 'id', status } };
    if (matchesPattern(filter.pattern, JSON.stringify(line))) {
      this.data.add(filter.metric, this.now(), 1);
    }
    this.data.add(this.#invocationsOf(name), this.now(), 1);
  }

  answered(status: number): void {
    const now = this.now();
    this.data.add(this.#alarms.metric('Count'), now, 1);
    this.data.add(this.#alarms.metric('5xx'), now, status >= 500 ? 1 : 0);
    this.data.add(this.#alarms.metric('Latency'), now, answerMs);
  }

  /** A function was given changes of the table, the oldest of which was made then. */
  read(name: string, writtenAtSeconds: number): void {
    const age = Math.max(0, Date.now() - writtenAtSeconds * 1000);
    this.data.add(this.#alarms.metric('IteratorAge', name), this.now(), age);
  }

  /** Something that a function could not handle goes to its queue, if it has one. */
  putAside(name: string): void {
    this.#putAside.set(name, (this.#putAside.get(name) ?? 0) + 1);
  }

  /** What CloudWatch measures by itself, every minute. */
  passMinute(): void {
    for (const [name, waiting] of this.#putAside) {
      const queue = this.#alarms.queues.get(name);
      if (queue) this.data.add(queue, this.now(), waiting);
    }
  }

  async asked(answer: () => Promise<never>): Promise<never> {
    const counted = this.#countFaults(async () => {
      try {
        return await answer();
      } catch (error) {
        throw error instanceof ServiceError ? asOfTheSdk(error) : error;
      }
    });
    try {
      return await counted({});
    } catch (error) {
      throw error instanceof Error && error.cause instanceof ServiceError ? error.cause : error;
    }
  }

  #invocationsOf(name: string) {
    const dimensions = { FunctionName: this.#alarms.functionOf(name) };
    return { namespace: 'AWS/Lambda', name: 'Invocations', dimensions };
  }
}

function asOfTheSdk(cause: ServiceError): Error {
  return Object.assign(new Error(cause.message, { cause }), {
    name: cause.type,
    $fault: cause.status < 500 ? 'client' : 'server',
    ...cause.details,
  });
}
