import { useEffect, useRef } from 'preact/hooks';
import { page } from '../address/address.ts';
import { AdminSearch } from '../admin/search/admin-search.tsx';
import type { Session } from '../connection/session.ts';
import { announced } from '../live/announce.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { PageOf } from './page-of.tsx';
import { keysShown } from './shortcuts.ts';
import { SystemsBanner } from './systems-banner.tsx';
import { UndoNote } from './undo-note.tsx';
import { Who } from './who.tsx';

export function Shell({ session }: { readonly session: Session }) {
  const main = useRef<HTMLElement>(null);
  const { value: shown } = page;
  const name = JSON.stringify(shown);
  // A reader of the screen begins at the new page, not where the link was.
  useEffect(() => main.current?.focus(), [name]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        To the page
      </a>
      <Navigation />
      <main id="main" ref={main} tabIndex={-1}>
        {session.administrator && <AdminSearch session={session} />}
        <SystemsBanner session={session} />
        <PageOf page={shown} session={session} />
      </main>
      <Who session={session} />
      <div class="announced" role="status" aria-live="polite">
        {announced.value}
      </div>
      <UndoNote />
      {keysShown.value && <KeysDialog />}
    </div>
  );
}
