import { createServer } from 'node:http';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type { Measurement } from '#lib/telemetry/measurements.ts';
import { type AnsweredLine, matchKey } from '../gateway/start-gateway.ts';
import { type Listening, listenOnLoopback } from '../loopback/listen-on-loopback.ts';
import { isOwnHost } from '../loopback/own-address.ts';
import { type Figures, keepFigures } from './keep-figures.ts';
import { openState, type StateSources } from './read-state.ts';
import { takeMeasurements } from './share-measurements.ts';

export interface Monitoring {
  /** The address at which Prometheus finds the figures. */
  readonly url: string;
  noteAnswer(answered: AnsweredLine): void;
  close(): Promise<void>;
}

export interface MonitoringOptions extends StateSources {
  readonly port: number;
  /** The channel of the threads that measure. */
  readonly channelName: string;
  /** What the clock calls. */
  readonly schedules: readonly string[];
}

/** Keeps the figures of a service and serves them. Call it after setting the environment. */
export async function openMonitoring({
  port,
  channelName,
  schedules,
  ...sources
}: MonitoringOptions): Promise<Monitoring> {
  const functions = await nameFunctions();
  const keys = [...functions.keys()];
  const figures = keepFigures(openState(sources), await listSilent(schedules));
  const measurements = takeMeasurements(channelName, figures.take);
  const { endpoint: url, close } = await serveMetrics(figures, port).catch((error: unknown) => {
    measurements.close();
    throw error;
  });
  return {
    url,
    noteAnswer({ method, path, routeKey, status, ms }) {
      // Lists are asked for with a slash at their end, which only `$default` takes.
      const key = routeKey === '$default' ? matchKey(keys, method, path, 'ignored') : routeKey;
      figures.noteRequest({ function: functions.get(key ?? ''), status, ms });
    },
    async close() {
      measurements.close();
      await close();
    },
  };
}

/** Finds the name of a function by its route key. */
async function nameFunctions(): Promise<ReadonlyMap<string, string>> {
  const { routeNames, routes } = await import('#functions/routes.ts');
  const keys = routeNames.flatMap((name) =>
    gatewayKeys(routes[name]).map((key): [string, string] => [key, name]),
  );
  return new Map([...keys, ['$default', 'fallback']]);
}

/** Lists what an alert compares with the time before it was first counted. */
async function listSilent(
  schedules: readonly string[],
): Promise<Pick<Measurement, 'name' | 'labels'>[]> {
  const [{ streams }, { listeners }] = await Promise.all([
    import('#functions/streams.ts'),
    import('#functions/listeners.ts'),
  ]);
  const receivers = [...Object.keys(streams), ...Object.keys(listeners)];
  return [
    ...schedules.flatMap((schedule) =>
      ['succeeded', 'failed'].map(
        (outcome) => ({ name: 'ScheduleRuns', labels: { schedule, outcome } }) as const,
      ),
    ),
    ...['taken', 'refused'].map((outcome) => ({ name: 'MailTries', labels: { outcome } }) as const),
    ...receivers.map((receiver) => ({ name: 'EventsDropped', labels: { receiver } }) as const),
  ];
}

const path = '/metrics';

/**
 * Serves figures at a port of their own, which only this machine reaches: whoever watches from
 * another machine comes through the proxy that has the certificate (docs/monitoring.md).
 */
async function serveMetrics({ write, contentType }: Figures, port: number): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const asks = request.method === 'GET' && request.url === path;
    // A page in a browser on this machine could reach the port by a name of its own.
    if (!asks || !isOwnHost(request)) {
      response.writeHead(asks ? 403 : 404).end();
      return;
    }
    try {
      const figures = await write();
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
      response.end(figures);
    } catch (error) {
      process.stderr.write(`The figures could not be written: ${error}\n`);
      response.writeHead(500).end();
    }
  });
  const { endpoint, close } = await listenOnLoopback(server, port).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Figures cannot be served at METRICS_PORT=${port} (${reason}).`, { cause });
  });
  return { endpoint: `${endpoint}${path}`, close };
}
