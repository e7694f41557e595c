import { BroadcastChannel } from 'node:worker_threads';
import { watchSystemCalls } from '#lib/outbound/system-calls.ts';
import { keepMeasurements, type Measurement } from '#lib/telemetry/measurements.ts';

/** Takes what this thread measures, and what those measure that were told the name of the channel. */
export function takeMeasurements(
  channelName: string,
  take: (measured: Measurement) => void,
): { close(): void } {
  const channel = new BroadcastChannel(channelName);
  channel.unref();
  channel.onmessage = ({ data }: { data: Measurement }) => take(data);
  measureTo(take);
  return {
    close() {
      keepMeasurements();
      watchSystemCalls();
      channel.close();
    },
  };
}

/** Sends what this thread measures to the one that takes it. */
export function sendMeasurements(channelName: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.unref();
  measureTo((measured) => channel.postMessage(measured));
}

function measureTo(take: (measured: Measurement) => void): void {
  keepMeasurements(take);
  watchSystemCalls(({ seconds, ...labels }) =>
    take({ name: 'SystemCallSeconds', value: seconds, labels }),
  );
}
