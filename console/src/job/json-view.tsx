import { useState } from 'preact/hooks';
import { writeCount } from '#client/src/format/write-number.ts';
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
  const head = label !== undefined && <span class="quiet">{label}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {head}
        <code class="breaks">{JSON.stringify(value)}</code>
      </div>
    );
  }
  const members = Object.entries(value);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {head}
        {describeMembers(value)}
      </summary>
      {open && (
        <div class="members">
          {members.slice(0, most).map(([name, member]) => (
            <Node key={name} label={name} value={member} />
          ))}
          {members.length > most && (
            <PlainButton onClick={() => setMost(most + atOnce)}>
              {phrase('showMore', { count: Math.min(atOnce, members.length - most) })}
            </PlainButton>
          )}
        </div>
      )}
    </details>
  );
}

/** Writes `3 items` for a list, and `2 fields` for an object. */
export function describeMembers(value: object): string {
  return Array.isArray(value)
    ? writeCount(value.length, 'item')
    : writeCount(Object.keys(value).length, 'field');
}
