import { writeDuration } from '#client/src/format/duration.ts';
import type { Project, System } from '#client/src/index.ts';
import { LongTextField, SelectField, SystemField, TextField } from '../parts/fields.tsx';
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
  return (
    <>
      <div class="fields two">
        <SystemField
          hint={system.description}
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
          {projects.map(({ project_name: name }) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
      <ProgramField draft={draft} system={system} problems={problems} onChange={onChange} />
      <div class="fields three">
        <TextField
          label="Nodes"
          hint={`1 to ${limits.node_number}`}
          error={problems.get('node_number')}
          inputMode="numeric"
          value={draft.nodes}
          onValue={(nodes) => onChange({ nodes })}
        />
        <TextField
          label="Cores per node"
          hint={`1 to ${limits.core_number}`}
          error={problems.get('core_number')}
          inputMode="numeric"
          value={draft.cores}
          onValue={(cores) => onChange({ cores })}
        />
        <TextField
          label="Time"
          hint={`such as 30 min, 2h or 1:30:00; at most ${writeDuration(limits.runtime * 3600)}`}
          error={problems.get('runtime')}
          value={draft.time}
          onValue={(time) => onChange({ time })}
        />
      </div>
      <TextField
        label="Title"
        hint="helps you find the job again"
        error={problems.get('title')}
        maxLength={200}
        value={draft.title}
        onValue={(title) => onChange({ title })}
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
      attributes={{ rows: 2, required: true, spellcheck: false }}
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
