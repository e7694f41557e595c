import type { Session } from '../connection/session.ts';
import { switchTheme, theme } from './theme.ts';

const names = { system: 'as the system', light: 'light', dark: 'dark' } as const;

/** Who is signed in, and what they like: below the navigation, and on a phone below the page. */
export function Who({ session: { user, administrator, signOut } }: { readonly session: Session }) {
  return (
    <div class="who">
      <span class="quiet">
        {user}
        {administrator && ', administrator'}
      </span>
      <button type="button" class="plain" onClick={switchTheme}>
        Colours: {names[theme.value]}
      </button>
      <button type="button" class="plain" onClick={signOut}>
        Sign out
      </button>
    </div>
  );
}
