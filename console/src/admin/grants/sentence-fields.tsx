import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { nameUnit } from '#client/src/format/amounts.ts';
import { chargingOf, listPlaces } from '../../live/catalog.ts';
import { type Sentence, verbs } from './read-sentence.ts';

interface SentenceFieldsProps {
  readonly sentence: Sentence;
  readonly problems: ReadonlyMap<string, string>;
  readonly onWrite: (change: Partial<Sentence>) => void;
}

const words = {
  give: { verb: 'Give', amount: '' },
  take: { verb: 'Take from', amount: '' },
  set: { verb: 'Set for', amount: 'the grant to' },
} as const;

/** "Give 306328 500 node-hours on proj_hpc_one_01 until 31 March because ..." */
export function SentenceFields({ sentence, problems, onWrite }: SentenceFieldsProps) {
  const charging = chargingOf(sentence.place.split('/')[0]?.toUpperCase() || undefined);
  const blank = (
    name: 'user' | 'time' | 'space' | 'until' | 'reason',
    { label, example, wide }: { label: string; example: string; wide?: number },
  ) => (
    <Blank label={label} error={problems.get(name)} {...(wide && { wide })}>
      {(ids) => (
        <input
          {...ids}
          placeholder={example}
          autocomplete="off"
          value={sentence[name]}
          onInput={({ currentTarget }) => onWrite({ [name]: currentTarget.value })}
        />
      )}
    </Blank>
  );
  return (
    <div class="sentence">
      <Blank label="What to do" error={undefined}>
        {({ size: _, ...ids }) => (
          <select
            {...ids}
            value={sentence.verb}
            onChange={({ currentTarget }) =>
              onWrite({ verb: verbs.find((verb) => verb === currentTarget.value) ?? 'give' })
            }
          >
            {verbs.map((verb) => (
              <option key={verb} value={verb}>
                {words[verb].verb}
              </option>
            ))}
          </select>
        )}
      </Blank>{' '}
      {blank('user', { label: 'User', example: '306328', wide: 9 })} {words[sentence.verb].amount}{' '}
      {blank('time', { label: 'Time', example: `500 ${nameUnit(charging)}`, wide: 15 })} and{' '}
      {blank('space', { label: 'Space', example: 'no space', wide: 9 })} on{' '}
      <Blank label="Project" error={problems.get('place')}>
        {({ size: _, ...ids }) => (
          <select
            {...ids}
            value={sentence.place}
            onChange={({ currentTarget }) => onWrite({ place: currentTarget.value })}
          >
            <option value="">choose a project</option>
            {listPlaces(sentence.place).map(({ place, project }) => (
              <option key={place} value={place}>
                {project}
              </option>
            ))}
          </select>
        )}
      </Blank>{' '}
      until {blank('until', { label: 'Until', example: 'no change', wide: 12 })} because{' '}
      {blank('reason', { label: 'Reason', example: 'a course in spring', wide: 26 })}
    </div>
  );
}

interface BlankProps {
  /** Read out by screen readers in place of the sentence around it. */
  readonly label: string;
  readonly error: string | undefined;
  /** In characters. */
  readonly wide?: number;
  readonly children: (ids: {
    readonly 'aria-label': string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
    readonly size: number;
  }) => ComponentChildren;
}

/** Leaves a blank in a sentence to fill in, with its error below. */
function Blank({ label, error, wide = 14, children }: BlankProps) {
  const id = useId();
  return (
    <span class={error === undefined ? 'blank' : 'blank wrong'}>
      {children({
        'aria-label': label,
        'aria-describedby': id,
        'aria-invalid': error !== undefined,
        size: wide,
      })}
      <small id={id}>{error}</small>
    </span>
  );
}
