import { describeSystem } from '#client/src/format/describe-place.ts';
import { writeDuration } from '#client/src/format/duration.ts';
import type { Project, System } from '#client/src/index.ts';
import {
  bindFields,
  LongTextField,
  Options,
  SelectField,
  SystemField,
  TextField,
} from '../parts/form.tsx';
import { type Draft, extraFieldsOf, programFieldOf } from './draft.ts';

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly system: System;
  readonly systems: readonly System[];
  readonly projects: readonly Project[];
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Shows the fields that the catalog defines, with their limits. */
export function DraftFields(props: DraftFieldsProps) {
  const { draft, system, systems, projects, problems, onChange } = props;
  const { limits } = system;
  const { fields: _, ...texts } = draft;
  const field = bindFields(texts, (name, value) => onChange({ [name]: value }));
  return (
    <>
      <div class="fields two">
        <SystemField
          hint={describeSystem(system)}
          systems={systems.map(({ name }) => name)}
          value={draft.hpc}
          onValue={(hpc) => onChange({ hpc, project: '' })}
        />
        <SelectField
          label="Project"
          hint="the job uses the quota of this project"
          value={draft.project === '' ? system.default_project : draft.project}
          onValue={(project) => onChange({ project })}
        >
          <Options of={projects.map(({ project_name: name }) => name)} />
        </SelectField>
      </div>
      <ProgramField draft={draft} system={system} problems={problems} onChange={onChange} />
      <div class="fields three">
        <TextField
          label="Nodes"
          hint={`1 to ${limits.node_number}`}
          inputMode="numeric"
          {...field('nodes', problems, 'node_number')}
        />
        <TextField
          label="Cores per node"
          hint={`1 to ${limits.core_number}`}
          inputMode="numeric"
          {...field('cores', problems, 'core_number')}
        />
        <TextField
          label="Time"
          hint={`such as 30 min, 2h or 1:30:00; at most ${writeDuration(limits.runtime * 3600)}`}
          {...field('time', problems, 'runtime')}
        />
      </div>
      <TextField
        label="Title"
        hint="helps you find the job again"
        maxLength={200}
        {...field('title', problems)}
      />
      {extraFieldsOf(system).map((name) => (
        <TextField
          key={name}
          label={name.replaceAll('_', ' ')}
          hint="optional"
          error={problems.get(name)}
          value={draft.fields[name] ?? ''}
          onValue={(value) => onChange({ fields: { ...draft.fields, [name]: value } })}
        />
      ))}
    </>
  );
}

type ProgramFieldProps = Pick<DraftFieldsProps, 'draft' | 'system' | 'problems' | 'onChange'>;

function ProgramField({ draft, system, problems, onChange }: ProgramFieldProps) {
  const field = programFieldOf(system);
  const common = {
    error: problems.get(field),
    value: draft.program,
    onValue: (program: string) => onChange({ program }),
  };
  return field === 'command' ? (
    <LongTextField
      {...common}
      label="Command"
      hint="runs in the unpacked folder, for example python3 main.py"
      rows={2}
      required
      spellcheck={false}
    />
  ) : (
    <TextField
      {...common}
      label="Tool"
      hint="the system's name for it, for example NEURON74_TG"
      required
      spellcheck={false}
    />
  );
}
