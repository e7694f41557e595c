import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Measurement } from '#lib/telemetry/measurements.ts';
import { type MetricName, metricEntries, type Sample } from './metrics.ts';

/** An answered request. The function is undefined if the gateway answered by itself. */
interface AnsweredRequest {
  readonly function: string | undefined;
  readonly status: number;
  readonly ms: number;
}

export interface Figures {
  take(measured: Measurement): void;
  noteRequest(request: AnsweredRequest): void;
  /** Writes all figures in the text format of Prometheus. */
  write(): Promise<string>;
  readonly contentType: string;
}

/** The same state serves all who ask within this time, so that asking often costs nothing. */
const stateMs = 5_000;

/** No counters, in spite of their names. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * Adds up what is measured, and reads the state of the service when somebody asks. `silent` has the
 * counters that are served before anything was counted, because nobody sees a first count rise.
 */
export function keepFigures(
  readState: () => Promise<readonly Sample[]>,
  silent: readonly Pick<Measurement, 'name' | 'labels'>[],
): Figures {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const gauges = new Map<string, Gauge>();
  const recorders = new Map<string, (labels: Measurement['labels'], value: number) => void>();
  for (const [name, { type, help, labels, buckets = [], of = name }] of metricEntries) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    if (type === 'counter') {
      const counter = new Counter(options);
      recorders.set(of, (of, value) => counter.inc(of, value));
    } else if (type === 'histogram') {
      const histogram = new Histogram({ ...options, buckets: [...buckets] });
      recorders.set(of, (of, value) => histogram.observe(of, value));
    } else gauges.set(name, new Gauge(options));
  }
  const record = (
    name: Measurement['name'] | MetricName,
    labels: Measurement['labels'],
    value: number,
  ) => recorders.get(name)?.(labels, value);
  for (const { name, labels } of silent) record(name, labels, 0);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const show = async () => {
    const samples = await readState();
    for (const gauge of gauges.values()) {
      gauge.reset();
      // A gauge without labels would say 0.
      gauge.remove({});
    }
    for (const { name, labels = {}, value } of samples) gauges.get(name)?.set(labels, value);
  };
  return {
    take: ({ name, labels, value }) => record(name, labels, value),
    noteRequest({ function: name = 'gateway', status, ms }) {
      const labels = { function: name };
      record('slipway_requests_total', { ...labels, status: `${Math.floor(status / 100)}xx` }, 1);
      record('slipway_request_seconds', labels, ms / 1000);
    },
    async write() {
      if (performance.now() - readAt > stateMs) {
        readAt = performance.now();
        reading = show();
      }
      await reading;
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
