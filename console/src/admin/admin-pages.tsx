import type { Session } from '../connection/session.ts';
import { Empty } from '../parts/empty.tsx';

interface AdminPagesProps {
  readonly session: Session;
  /** What stands in the address after `/console/admin/`. */
  readonly rest: readonly string[];
}

/** The pages of administrators: one room for each of what they look after. */
export function AdminPages({ session: { user } }: AdminPagesProps) {
  return (
    <>
      <h1>Administration</h1>
      <Empty title="Not here yet.">
        {user} may do everything under /admin/ of the interface, with the command or curl.
      </Empty>
    </>
  );
}
