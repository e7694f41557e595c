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
import {
  classesFor,
  type Draft,
  extraFieldsOf,
  limitsOf,
  programFieldOf,
  resourceOptions,
} from './draft.ts';

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
  const limits = limitsOf(system, draft);
  const setField = (name: string, value: string) =>
    onChange({ fields: { ...draft.fields, [name]: value } });
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
      <ResourceFields draft={draft} system={system} problems={problems} onField={setField} />
      <TextField
        label="Title"
        hint="helps you find the job again"
        maxLength={200}
        {...field('title', problems)}
      />
      {extraFieldsOf(system)
        .filter((name) => resourceOptions[name] === undefined)
        .map((name) => (
          <TextField
            key={name}
            label={name.replaceAll('_', ' ')}
            hint="optional"
            error={problems.get(name)}
            value={draft.fields[name] ?? ''}
            onValue={(value) => setField(name, value)}
          />
        ))}
    </>
  );
}

interface ResourceFieldsProps extends Pick<DraftFieldsProps, 'draft' | 'system' | 'problems'> {
  readonly onField: (name: string, value: string) => void;
}

/** Shows memory, GPUs and classes, if the system offers any of them. */
function ResourceFields({ draft, system, problems, onField }: ResourceFieldsProps) {
  const offered = extraFieldsOf(system);
  const { memory, gpu_number: gpus = 0 } = limitsOf(system, draft);
  const project = draft.project === '' ? system.default_project : draft.project;
  const of = (name: string) => ({
    error: problems.get(name),
    value: draft.fields[name] ?? '',
    onValue: (value: string) => onField(name, value),
  });
  // A class without GPUs shows their fields only if something must be removed from them.
  const isShown = (name: string) =>
    offered.includes(name) && (!name.startsWith('gpu_') || gpus > 0 || of(name).value !== '');
  const shown = Object.keys(resourceOptions).filter(isShown);
  if (shown.length === 0) return null;
  const [first, ...others] = classesFor(system, project).map(({ name }) => name);
  return (
    <div class={`fields ${shown.length === 3 ? 'three' : 'two'}`}>
      {first !== undefined && (
        <SelectField
          label="Class"
          hint={describeClass(system, draft.fields.class || first)}
          {...of('class')}
        >
          <option value="">{first}</option>
          <Options of={others} />
        </SelectField>
      )}
      {memory !== undefined && (
        <TextField
          label="Memory per node"
          hint={`such as 16 GB; at most ${memory}`}
          placeholder="by the cores"
          {...of('memory')}
        />
      )}
      {isShown('gpu_number') && (
        <TextField
          label="GPUs per node"
          hint={gpus > 0 ? `1 to ${gpus}, or empty for none` : 'none in this class'}
          inputMode="numeric"
          {...of('gpu_number')}
        />
      )}
      {system.gpu_kinds && isShown('gpu_kind') && (
        <SelectField label="Kind of GPU" {...of('gpu_kind')}>
          <option value="">any</option>
          <Options of={system.gpu_kinds} />
        </SelectField>
      )}
    </div>
  );
}

function describeClass({ classes = [] }: System, chosen: string): string {
  const { description, charging_factor: factor = 1 } =
    classes.find(({ name }) => name === chosen) ?? {};
  return description ?? (factor === 1 ? '' : `costs ${factor} times as much`);
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
