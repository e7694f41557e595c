import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Project } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';

/** The projects that the user leads. Empty until they are loaded. */
export const ledProjects = signal<readonly Project[]>([]);

/** Asks once a visit, because most users lead nothing and leaders rarely change. */
export function useLedProjects(): void {
  const service = useService();
  useEffect(() => {
    const leaving = new AbortController();
    ledProjects.value = [];
    service
      .listProjects({ led: true }, { signal: leaving.signal })
      .then((projects) => {
        ledProjects.value = projects;
      })
      // Without an answer the pages stay out of the navigation. Their addresses work.
      .catch(() => undefined);
    return () => leaving.abort();
  }, [service]);
}
