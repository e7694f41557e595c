import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { JobWithRequest } from '#client/src/index.ts';
import { addressOf, goTo, withQuery } from '../browser/address.ts';
import { isRecord, readStored, store } from '../browser/stored.ts';
import { useSession } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { NameDialog } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';
import { draftFromJob, noWaits, toDraft } from './begin-draft.ts';
import type { Draft } from './draft.ts';
import { phrase } from './words.ts';

/** A form with a name. The input is not kept, because it may be large and belongs to one job. */
export interface Template {
  readonly name: string;
  readonly draft: Draft;
}

const most = 50;

/** How many were saved on this page. */
const saved = signal(0);

/** Several people may sign in with one browser, so each has a list of their own. */
function keyFor(user: string): string {
  return `slipway-templates-${user}`;
}

export function readTemplates(user: string): readonly Template[] {
  return parseTemplates(readStored('browser', keyFor(user)));
}

/** Drops everything that is not a template, because anybody with this browser can write there. */
export function parseTemplates(stored: unknown): readonly Template[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.name !== 'string' || !isRecord(each.draft)) return [];
    return [{ name: each.name, draft: toDraft(each.draft) }];
  });
}

/** Replaces a template of the same name, and drops the oldest if there are too many. */
export function addTemplate(
  templates: readonly Template[],
  { name, draft }: Template,
): readonly Template[] {
  const added = { name, draft: { ...draft, ...noWaits } };
  return [...templates.filter((each) => each.name !== name), added].slice(-most);
}

/** Offers the templates of this user, as links that fill in the form. */
export function TemplateBar({ current }: { readonly current: string }) {
  const { user } = useSession();
  const [forgotten, setForgotten] = useState(0);
  const templates = useMemo(() => readTemplates(user), [user, forgotten, saved.value]);
  if (templates.length === 0) return null;
  const forget = () => {
    const kept = templates.filter(({ name }) => name !== current);
    store('browser', keyFor(user), kept);
    setForgotten(forgotten + 1);
    goTo(addressOf.submit);
    announce(phrase('forgotten'));
  };
  return (
    <div class="line">
      <nav class="chips" aria-label={phrase('templates')}>
        {templates.map(({ name }) => (
          <a
            key={name}
            class="chip"
            href={withQuery(addressOf.submit, { template: name })}
            aria-current={name === current ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {templates.some(({ name }) => name === current) && (
        <PlainButton onClick={forget}>{phrase('forget', { name: current })}</PlainButton>
      )}
    </div>
  );
}

interface SaveTemplateProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

/** Asks for a name, and saves the form under it. */
export function SaveTemplate({ draft, onClose }: SaveTemplateProps) {
  const { user } = useSession();
  return (
    <NameDialog
      title={phrase('saveAsTemplate')}
      act={phrase('saveTemplate')}
      hint={phrase('templateHint')}
      name={draft.title}
      onName={(name) => {
        store('browser', keyFor(user), addTemplate(readTemplates(user), { name, draft }));
        saved.value += 1;
        announce(phrase('templateSaved'));
      }}
      onClose={onClose}
    />
  );
}

interface SaveJobAsTemplateProps {
  readonly job: JobWithRequest;
  readonly onClose: () => void;
}

export function SaveJobAsTemplate({ job, onClose }: SaveJobAsTemplateProps) {
  return <SaveTemplate draft={draftFromJob(job).draft} onClose={onClose} />;
}
