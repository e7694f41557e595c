import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readStored, store } from '../browser/stored.ts';
import { Button } from './form.tsx';
import { Skeleton } from './loading.tsx';
import { phrase } from './words.ts';

/** Makes a component that is loaded when it is shown for the first time. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { rows = 6 } = {},
): (props: Props) => JSX.Element {
  let Loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (Loaded || state !== 'loading') return;
      load()
        .then((component) => {
          Loaded = component;
          setState('loaded');
        })
        .catch(async () => {
          if (!(await reloadOutdated())) setState('failed');
        });
    }, [state]);
    if (Loaded) return <Loaded {...props} />;
    return state === 'failed' ? <NotLoaded /> : <Skeleton rows={rows} />;
  };
}

/** Offers a reload, because a browser does not ask again for a script that it could not load. */
function NotLoaded() {
  return (
    <div class="note bad" role="alert">
      <strong>{phrase('pageDidNotLoad')}</strong>
      <p>{phrase('checkConnection')}</p>
      <Button onClick={() => location.reload()}>{phrase('reloadPage')}</Button>
    </div>
  );
}

const reloadedKey = 'slipway-reloaded';

/**
 * Reloads the page if the service has a newer console, whose scripts have other names. Returns false
 * if there is none, or if a reload has not brought it.
 */
async function reloadOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module]');
  const name = script?.getAttribute('src') ?? '';
  if (readStored('tab', reloadedKey) === name || !(await isReplaced(name))) return false;
  store('tab', reloadedKey, name);
  location.reload();
  return true;
}

async function isReplaced(script: string): Promise<boolean> {
  try {
    const page = await fetch('/console/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(script);
  } catch {
    return false;
  }
}
