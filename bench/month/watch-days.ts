import { percentile } from '../measure/figures.ts';
import type { LaptopEdition } from '../measure/laptop-edition.ts';
import { drawMonth } from './draw-month.ts';
import { hoursOfMonth } from './plan-month.ts';
import type { Month } from './play-month.ts';

export interface Day {
  readonly jobs: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Percent of a core. */
  readonly processor: number;
  readonly megabytes: number;
}

/** Notes each day of the month as it ends. `stop` notes the last one. */
export function watchDays(edition: LaptopEdition, month: Month, hourSeconds: number) {
  const days: Day[] = [];
  const readProcessor = () => edition.readProcessorSeconds() ?? 0;
  let last = { processor: readProcessor(), answers: 0, jobs: 0 };
  const noteDay = () => {
    const now = { processor: readProcessor(), answers: month.answered.length, jobs: month.jobs() };
    const times = month.answered.slice(last.answers, now.answers).map(({ ms }) => ms);
    days.push({
      jobs: now.jobs - last.jobs,
      requests: times.length,
      p99: times.length > 0 ? percentile(times, 0.99) : 0,
      processor: (100 * (now.processor - last.processor)) / (24 * hourSeconds),
      megabytes: edition.readMemory() ?? 0,
    });
    last = now;
  };
  const clock = setInterval(noteDay, 24 * hourSeconds * 1000);
  return {
    days,
    stop(): void {
      clearInterval(clock);
      if (days.length < hoursOfMonth / 24) noteDay();
    },
  };
}

export function drawDays(days: readonly Day[]): string {
  const values = (key: keyof Day) => days.map((day) => day[key]);
  return drawMonth([
    { name: 'jobs a day', values: values('jobs'), unit: 'jobs' },
    { name: 'requests a day', values: values('requests'), unit: 'requests' },
    { name: 'answers, p99', values: values('p99'), unit: 'ms' },
    { name: 'processor', values: values('processor'), unit: '% of a core' },
    { name: 'memory', values: values('megabytes'), unit: 'MB' },
  ]);
}
