import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { nameUnit } from '#client/src/format/amounts/amounts.ts';
import { chargingOf, listPlaces } from '../../live/catalog.ts';
import { type Sentence, verbs } from './read-sentence.ts';
import { phrase, rich } from './words.ts';

interface SentenceFieldsProps {
  readonly sentence: Sentence;
  readonly problems: ReadonlyMap<string, string>;
  readonly onWrite: (change: Partial<Sentence>) => void;
}

const words = {
  give: () => phrase('give'),
  take: () => phrase('take'),
  set: () => phrase('set'),
} as const;

/** "Give 306328 500 node-hours on proj_hpc_one_01 until 31 March because ..." */
export function SentenceFields({ sentence, problems, onWrite }: SentenceFieldsProps) {
  const charging = chargingOf(sentence.place.split('/')[0]?.toUpperCase() || undefined);
  const blank = (
    name: 'user' | 'time' | 'space' | 'until' | 'reason',
    { label, example, wide }: { label: string; example: string; wide?: number },
  ) => (
    <Blank
      label={label}
      error={problems.get(name === 'until' ? 'valid_until' : name)}
      {...(wide && { wide })}
    >
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
  const verb = (
    <Blank label={phrase('whatToDo')} error={undefined}>
      {({ size: _, ...ids }) => (
        <select
          {...ids}
          value={sentence.verb}
          onChange={({ currentTarget }) =>
            onWrite({ verb: verbs.find((each) => each === currentTarget.value) ?? 'give' })
          }
        >
          {verbs.map((each) => (
            <option key={each} value={each}>
              {words[each]()}
            </option>
          ))}
        </select>
      )}
    </Blank>
  );
  const project = (
    <Blank label={phrase('project')} error={problems.get('place')}>
      {({ size: _, ...ids }) => (
        <select
          {...ids}
          value={sentence.place}
          onChange={({ currentTarget }) => onWrite({ place: currentTarget.value })}
        >
          <option value="">{phrase('chooseOne')}</option>
          {listPlaces(sentence.place).map((each) => (
            <option key={each.place} value={each.place}>
              {each.project}
            </option>
          ))}
        </select>
      )}
    </Blank>
  );
  const unit = nameUnit(charging);
  const blanks = {
    verb,
    user: blank('user', { label: phrase('user'), example: '306328', wide: 9 }),
    time: blank('time', {
      label: phrase('time'),
      example: phrase('timeExample', { unit }),
      wide: 15,
    }),
    space: blank('space', { label: phrase('space'), example: phrase('noSpace'), wide: 9 }),
    project,
    until: blank('until', { label: phrase('until'), example: phrase('noChange'), wide: 12 }),
    reason: blank('reason', {
      label: phrase('reason'),
      example: phrase('reasonExample'),
      wide: 26,
    }),
  };
  return (
    <div class="sentence">
      {sentence.verb === 'set' ? rich('sentenceOfTotal', blanks) : rich('sentence', blanks)}
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
