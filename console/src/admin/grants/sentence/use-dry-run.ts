import { useEffect, useState } from 'preact/hooks';
import type { GrantedRow, GrantRow } from '#client/src/index.ts';
import type { Session } from '../../../connection/session.ts';

const pauseMs = 400;

/** What a grant would change, asked for once in a pause of typing. */
export function useDryRun({ service }: Session, row: GrantRow | undefined): GrantedRow | undefined {
  const key = row && JSON.stringify({ ...row, reason: undefined });
  const [told, setTold] = useState<{ key: string; outcome: GrantedRow | undefined }>();
  useEffect(() => {
    if (!row || key === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const asked = { rows: [{ reason: 'a dry run', ...row }], dry_run: true };
        const [outcome] = await service.grantQuotas(asked, { signal: leaving.signal });
        setTold({ key, outcome });
      } catch {
        // What went wrong is told by the click, which sends the same.
        if (!leaving.signal.aborted) setTold(undefined);
      }
    }, pauseMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return told !== undefined && told.key === key ? told.outcome : undefined;
}
