import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { SystemCard } from './system-card.tsx';

export function SystemsPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const { value, error, refresh } = useLive(
    'state of systems',
    (signal) => session.service.reportSystems({}, { signal }),
    { living: () => true },
  );
  return (
    <>
      <h1>Systems</h1>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {(!catalog || !value) && error === undefined && <Waiting rows={3} />}
      <div class="cards">
        {value &&
          catalog?.systems.map((system) => (
            <SystemCard
              key={system.name}
              session={session}
              system={system}
              report={value.find(({ name }) => name === system.name)}
            />
          ))}
      </div>
    </>
  );
}
