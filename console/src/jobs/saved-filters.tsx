import { useState } from 'preact/hooks';
import { isRecord, readStored, store } from '../browser/stored.ts';
import { NameDialog } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';
import { phrase } from './words.ts';

/** A filter with a name, as an address of the list. It is kept in this browser. */
interface SavedFilter {
  readonly name: string;
  readonly address: string;
}

const key = 'slipway-saved-filters';
const most = 30;

/** Drops everything that does not lead to a list of the console, because anybody can write there. */
export function parseSaved(stored: unknown): readonly SavedFilter[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each: unknown) => {
    const { name, address } = isRecord(each) ? each : {};
    if (typeof name !== 'string' || typeof address !== 'string') return [];
    return /^\/console\/(admin\/)?jobs\//.test(address) ? [{ name, address }] : [];
  });
}

/** Replaces a filter of the same name, and drops the oldest if there are too many. */
export function addSaved(
  saved: readonly SavedFilter[],
  added: SavedFilter,
): readonly SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].slice(-most);
}

interface SavedFiltersProps {
  /** The address of the list with its present filters. */
  readonly address: string;
  /** The address of the list without filters. */
  readonly list: string;
}

/** Offers filters that somebody has saved, and saves the present ones. */
export function SavedFilters({ address, list }: SavedFiltersProps) {
  const [saved, setSaved] = useState(() => parseSaved(readStored('browser', key)));
  const [naming, setNaming] = useState(false);
  const here = saved.filter((each) => each.address.startsWith(list));
  const current = here.find((each) => each.address === address);
  const keep = (changed: readonly SavedFilter[]) => {
    setSaved(changed);
    store('browser', key, changed);
  };
  if (here.length === 0 && address === list) return null;
  return (
    <div class="line">
      {here.length > 0 && (
        <nav class="chips" aria-label={phrase('savedFilters')}>
          {here.map((each) => (
            <a
              key={each.name}
              class="chip"
              href={each.address}
              aria-current={each === current ? 'true' : undefined}
            >
              {each.name}
            </a>
          ))}
        </nav>
      )}
      {current && (
        <PlainButton onClick={() => keep(saved.filter((each) => each !== current))}>
          {phrase('forget', { name: current.name })}
        </PlainButton>
      )}
      {!current && address !== list && (
        <PlainButton onClick={() => setNaming(true)}>{phrase('saveThese')}</PlainButton>
      )}
      {naming && (
        <NameDialog
          title={phrase('saveTheseFilters')}
          act={phrase('saveFilters')}
          hint={phrase('savedHere')}
          onName={(name) => keep(addSaved(saved, { name, address }))}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}
