import { useEffect, useRef, useState } from 'preact/hooks';
import { findFirstError } from './find-first-error.ts';
import { findText, stepTo } from './find-text.ts';
import { highlight, scrollToPlace } from './show-place.ts';

interface TextViewProps {
  readonly text: string;
  readonly name: string;
  /** Whether it may still be written to. */
  readonly grows: boolean;
}

/** A text that is followed as it grows, up to its first error; searched, and wrapped or not. */
export function TextView({ text, name, grows }: TextViewProps) {
  const box = useRef<HTMLPreElement>(null);
  const [follows, setFollows] = useState(true);
  const [wraps, setWraps] = useState(true);
  const [wanted, setWanted] = useState('');
  const [current, setCurrent] = useState(0);
  const stopped = useRef(false);
  const error = findFirstError(text);
  const places = findText(text, wanted).map((at) => ({ at, length: wanted.length }));
  const place = places[current];
  useEffect(() => {
    const { current: shown } = box;
    if (!shown || !grows || !follows) return;
    if (error && !stopped.current) {
      // Whoever goes on following from here is not stopped again.
      stopped.current = true;
      setFollows(false);
      scrollToPlace(shown, error);
    } else shown.scrollTo(0, shown.scrollHeight);
  }, [text, follows, grows]);
  useEffect(() => {
    const { current: shown } = box;
    if (!shown) return;
    highlight('found', shown, places);
    highlight('current', shown, place ? [place] : []);
    return () => highlight('found', shown, []);
  }, [text, wanted, current]);
  const show = (shownPlace: typeof place) => {
    setFollows(false);
    if (box.current && shownPlace) scrollToPlace(box.current, shownPlace);
  };
  const step = (by: 1 | -1) => {
    const next = stepTo(
      places.map(({ at }) => at),
      current,
      by,
    );
    setCurrent(next);
    show(places[next]);
  };
  const search = (typed: string) => {
    setWanted(typed);
    setCurrent(0);
    const [at] = findText(text, typed);
    if (at !== undefined) show({ at, length: typed.length });
  };
  return (
    <div class="text-view">
      <div class="line">
        <code>{name}</code>
        {grows && <Switch label="follow" on={follows} onSwitch={setFollows} />}
        <Switch label="wrap lines" on={wraps} onSwitch={setWraps} />
        {error && (
          <button type="button" class="plain" onClick={() => show(error)}>
            to the first error (line {error.line})
          </button>
        )}
        <form
          class="find line"
          onSubmit={(event) => {
            event.preventDefault();
            step(1);
          }}
        >
          <input
            type="search"
            aria-label={`Search in ${name}`}
            placeholder="Search  ( / )"
            value={wanted}
            onInput={({ currentTarget }) => search(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !event.shiftKey) return;
              event.preventDefault();
              step(-1);
            }}
          />
          {wanted !== '' && (
            <>
              <span class="number" role="status">
                {places.length === 0 ? 'not there' : `${current + 1} of ${places.length}`}
              </span>
              <button type="button" class="plain" onClick={() => step(-1)}>
                previous
              </button>
              <button type="submit" class="plain">
                next
              </button>
            </>
          )}
        </form>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <pre ref={box} tabIndex={0} class={wraps ? 'wraps' : undefined} data-testid="text">
        {text === '' ? 'It is empty so far.' : text}
      </pre>
    </div>
  );
}

function Switch({
  label,
  on,
  onSwitch,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}) {
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
