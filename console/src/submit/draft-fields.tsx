import { writeDuration } from '#client/src/format/duration.ts';
import type { Project, System } from '#client/src/index.ts';
import { Field } from '../parts/fields.tsx';
import { type Draft, extraFieldsOf, programFieldOf } from './draft.ts';

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly system: System;
  readonly systems: readonly System[];
  readonly projects: readonly Project[];
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The fields of the catalog, with their limits beside them. */
export function DraftFields({
  draft,
  system,
  systems,
  projects,
  problems,
  onChange,
}: DraftFieldsProps) {
  const { limits } = system;
  return (
    <>
      <div class="fields two">
        <Field label="System" hint={system.description}>
          {(ids) => (
            <select
              {...ids}
              value={draft.hpc}
              onChange={({ currentTarget }) => onChange({ hpc: currentTarget.value, project: '' })}
            >
              {systems.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Project" hint="whose quota it takes from">
          {(ids) => (
            <select
              {...ids}
              value={draft.project === '' ? system.default_project : draft.project}
              onChange={({ currentTarget }) => onChange({ project: currentTarget.value })}
            >
              {projects.map(({ project_name: name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ProgramField draft={draft} system={system} problems={problems} onChange={onChange} />
      <div class="fields three">
        <Field
          label="Nodes"
          hint={`1 to ${limits.node_number}`}
          error={problems.get('node_number')}
        >
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              value={draft.nodes}
              onInput={({ currentTarget }) => onChange({ nodes: currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label="Cores per node"
          hint={`1 to ${limits.core_number}`}
          error={problems.get('core_number')}
        >
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              value={draft.cores}
              onInput={({ currentTarget }) => onChange({ cores: currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label="Time"
          hint={`30 min, 2h, 1:30:00; at most ${writeDuration(limits.runtime * 3600)} is granted`}
          error={problems.get('runtime')}
        >
          {(ids) => (
            <input
              {...ids}
              value={draft.time}
              onInput={({ currentTarget }) => onChange({ time: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Title" hint="how you find it again" error={problems.get('title')}>
        {(ids) => (
          <input
            {...ids}
            maxLength={200}
            value={draft.title}
            onInput={({ currentTarget }) => onChange({ title: currentTarget.value })}
          />
        )}
      </Field>
      {extraFieldsOf(system).map((name) => (
        <Field
          key={name}
          label={name.replaceAll('_', ' ')}
          hint="optional"
          error={problems.get(name)}
        >
          {(ids) => (
            <input
              {...ids}
              value={draft.fields[name] ?? ''}
              onInput={({ currentTarget }) =>
                onChange({ fields: { ...draft.fields, [name]: currentTarget.value } })
              }
            />
          )}
        </Field>
      ))}
    </>
  );
}

function ProgramField({
  draft,
  system,
  problems,
  onChange,
}: Pick<DraftFieldsProps, 'draft' | 'system' | 'problems' | 'onChange'>) {
  const field = programFieldOf(system);
  const isCommand = field === 'command';
  return (
    <Field
      label={isCommand ? 'Command' : 'Tool'}
      hint={
        isCommand
          ? 'runs in the unpacked folder: python3 main.py'
          : 'as the system names it: NEURON74_TG'
      }
      error={problems.get(field)}
    >
      {(ids) =>
        isCommand ? (
          <textarea
            {...ids}
            rows={2}
            required
            spellcheck={false}
            value={draft.program}
            onInput={({ currentTarget }) => onChange({ program: currentTarget.value })}
          />
        ) : (
          <input
            {...ids}
            required
            spellcheck={false}
            value={draft.program}
            onInput={({ currentTarget }) => onChange({ program: currentTarget.value })}
          />
        )
      }
    </Field>
  );
}
