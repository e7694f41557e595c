import { render } from 'preact';
import { followLinks } from './browser/address.ts';
import { followTitle } from './browser/page-title.ts';
import { SessionContext, session } from './connection/session.ts';
import { startClock } from './live/clock.ts';
import { restoreNotifying } from './notifications/browser-notifications.ts';
import { Shell } from './shell/shell.tsx';
import { listenToKeys } from './shell/shortcuts.tsx';
import { applyTheme } from './shell/theme.ts';
import { followKey } from './sign-in/laptop-key.ts';
import { followSignOut, signInAgain } from './sign-in/sign-in.ts';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { speak } from './speak.ts';

function Console() {
  if (!session.value) return <SignInPage />;
  return (
    <SessionContext.Provider value={session.value}>
      <Shell />
    </SessionContext.Provider>
  );
}

const place = document.getElementById('console');
if (!place) throw new Error('The page has no place for the console.');
await speak(location, navigator.languages);
applyTheme();
startClock();
restoreNotifying();
followKey(() => {
  if (!session.value) void signInAgain();
});
followLinks();
followTitle();
followSignOut();
listenToKeys();
render(<Console />, place);
void signInAgain();
