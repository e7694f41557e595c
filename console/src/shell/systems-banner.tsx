import { joinWords } from '#client/src/format/join-words.ts';
import type { Job, Status } from '#client/src/index.ts';
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
