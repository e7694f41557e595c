import { describeMaintenance } from '#client/src/format/describe-maintenance.ts';
import { joinWords } from '#client/src/format/join-words.ts';
import type { System as CatalogSystem, Job, Status } from '#client/src/index.ts';
import { systemOf } from '../browser/address.ts';
import { catalog } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { phrase } from './words.ts';

/** Shows what operators announce, such as the next maintenance. */
export function Announcements() {
  const announced = catalog.value?.systems.filter(({ announcement }) => announcement) ?? [];
  return announced.map(({ name, announcement }) => (
    <p key={name} class="note">
      <strong>{name}</strong> {announcement}
    </p>
  ));
}

/** Shows the present and the coming maintenance of each system, with times of the reader. */
export function MaintenanceBanner() {
  return listMaintenance(catalog.value?.systems ?? [], new Date()).map(({ sentence, isNow }) => (
    <p key={sentence} class={isNow ? 'note warn' : 'note'} role="status">
      {sentence}
    </p>
  ));
}

/** Lists what to say of maintenance: what is now, and what comes within two weeks. */
export function listMaintenance(
  systems: readonly Pick<CatalogSystem, 'name' | 'maintenance'>[],
  now: Date,
) {
  const soon = new Date(now.getTime() + twoWeeksMs);
  return systems.flatMap(({ name, maintenance = [] }) =>
    maintenance
      .filter(
        ({ from, until }) => new Date(from) < soon && (until === null || new Date(until) > now),
      )
      .map((window) => ({
        sentence: describeMaintenance(name, window, now),
        isNow: new Date(window.from) <= now && window.source !== 'slurm',
      })),
  );
}

const twoWeeksMs = 14 * 86_400_000;

/** Says which systems are down, and what that means for the user's jobs. */
export function SystemsBanner() {
  const { value } = useLive('status', (service, signal) => service.readStatus({}, { signal }));
  const down = value ? systemsDown(value) : [];
  return down.length === 0 ? null : <Outage down={down} />;
}

function Outage({ down }: { readonly down: readonly System[] }) {
  const { value: active } = useLive('active', (service, signal) =>
    service.listJobs({ terminal: false, limit: 1000 }, { signal }),
  );
  return (
    <div class="note warn" role="status">
      <strong>
        {phrase('cannotBeReached', {
          count: down.length,
          systems: joinWords(down.map(systemOf)),
        })}
      </strong>
      {active && describeOutage(down, active).map((sentence) => <p key={sentence}>{sentence}</p>)}
    </div>
  );
}

type System = Status['systems'][number];

function systemsDown({ systems }: Status): readonly System[] {
  return systems.filter(({ status }) => status === 'down');
}

function describeOutage(down: readonly System[], active: readonly Job[]): readonly string[] {
  const names = down.map(systemOf);
  const there = active.filter((job) => names.includes(systemOf(job))).length;
  return [
    there === 0
      ? phrase('noneAffected')
      : `${phrase('someAffected', { count: there })} ${phrase('handedOverLater', { count: names.length })}`,
    phrase('keepSubmitting'),
  ];
}
