import { useMemo, useState } from 'preact/hooks';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { PlainButton, Switch } from '../parts/form.tsx';
import { TextView } from './text-view.tsx';
import { phrase } from './words.ts';

interface JsonViewProps {
  readonly value: unknown;
  readonly text: string;
  readonly name: string;
}

/** Shows JSON folded: the first level open, the others on request. */
export function JsonView({ value, text, name }: JsonViewProps) {
  const [asText, setAsText] = useState(false);
  return (
    <div class="table-view">
      <div class="line">
        {!asText && <code>{name}</code>}
        <Switch on={asText} onSwitch={setAsText}>
          {phrase('asText')}
        </Switch>
      </div>
      {asText ? (
        <TextView text={text} name={name} grows={false} />
      ) : (
        <div class="json">
          <Node value={value} open />
        </div>
      )}
    </div>
  );
}

/** Members at once. More are shown on request, because a page with all of them would be slow. */
const atOnce = 100;

interface NodeProps {
  readonly label?: string;
  readonly value: unknown;
  readonly open?: boolean;
}

function Node({ label, value, open: opens = false }: NodeProps) {
  const [open, setOpen] = useState(opens);
  const [most, setMost] = useState(atOnce);
  const { members, count } = useMemo(() => readMembers(value, most), [value, most]);
  const head = label !== undefined && <span class="quiet">{label}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {head}
        <code class="breaks">{JSON.stringify(value)}</code>
      </div>
    );
  }
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {head}
        {writeCount(count, Array.isArray(value) ? 'item' : 'field')}
      </summary>
      {open && (
        <div class="members">
          {members.map(([name, member]) => (
            <Node key={name} label={name} value={member} />
          ))}
          {count > most && (
            <PlainButton onClick={() => setMost(most + atOnce)}>
              {phrase('showMore', { count: Math.min(atOnce, count - most) })}
            </PlainButton>
          )}
        </div>
      )}
    </details>
  );
}

interface Members {
  readonly members: readonly (readonly [string, unknown])[];
  readonly count: number;
}

/** Reads the first members of a list or an object, and counts all of them. */
export function readMembers(value: unknown, most: number): Members {
  if (typeof value !== 'object' || value === null) return { members: [], count: 0 };
  const names = Array.isArray(value)
    ? Array.from({ length: Math.min(most, value.length) }, (_, index) => String(index))
    : Object.keys(value);
  return {
    members: names.slice(0, most).map((name) => [name, Reflect.get(value, name)]),
    count: Array.isArray(value) ? value.length : names.length,
  };
}
