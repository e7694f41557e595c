import { writeMemory } from '#client/src/format/amounts/memory.ts';
import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { describeSystem, listAllowed } from '#client/src/format/systems/describe-place.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { Project, System } from '#client/src/index.ts';
import { echoDuration, echoMemory } from '../parts/echo.ts';
import {
  bindFields,
  LongTextField,
  Options,
  SelectField,
  SystemField,
  TextField,
} from '../parts/form.tsx';
import { DatasetList } from './dataset-list.tsx';
import {
  classesFor,
  type Draft,
  extraFieldsOf,
  limitsOf,
  placeOf,
  programFieldOf,
  resourceOptions,
} from './draft.ts';
import { phrase } from './words.ts';

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
          label={phrase('project')}
          hint={phrase('usesQuota')}
          value={draft.project === '' ? system.default_project : draft.project}
          onValue={(project) => onChange({ project })}
        >
          <Options of={projects.map(({ project_name: name }) => name)} />
        </SelectField>
      </div>
      <ProgramField draft={draft} system={system} problems={problems} onChange={onChange} />
      <DatasetList
        system={system}
        project={draft.project === '' ? system.default_project : draft.project}
        onInsert={(path) => onChange({ program: `${draft.program} ${path}`.trim() })}
      />
      {system.inputs && (
        <LongTextField
          label={phrase('inputs')}
          hint={phrase('inputsHint', { hosts: listAllowed(system.inputs) })}
          spellcheck={false}
          rows={2}
          wrap="off"
          {...field('inputs', problems)}
        />
      )}
      {system.outputs && (
        <LongTextField
          label={phrase('outputs')}
          hint={phrase('outputsHint', { hosts: listAllowed(system.outputs) })}
          spellcheck={false}
          rows={2}
          wrap="off"
          {...field('outputs', problems)}
        />
      )}
      <div class="fields three">
        <TextField
          label={phrase('nodes')}
          hint={phrase('oneTo', { most: writeNumber(limits.node_number) })}
          inputMode="numeric"
          {...field('nodes', problems, 'node_number')}
        />
        <TextField
          label={phrase('cores')}
          hint={phrase('oneTo', { most: writeNumber(limits.core_number) })}
          inputMode="numeric"
          {...field('cores', problems, 'core_number')}
        />
        <TextField
          label={phrase('runtime')}
          hint={
            echoDuration(draft.runtime) ??
            phrase('runtimeHint', { most: writeDuration(limits.runtime * 3600) })
          }
          {...field('runtime', problems)}
        />
      </div>
      <ResourceFields draft={draft} system={system} problems={problems} onField={setField} />
      <TextField
        label={phrase('title')}
        hint={phrase('titleHint')}
        maxLength={200}
        {...field('title', problems)}
      />
      {extraFieldsOf(system)
        .filter((name) => resourceOptions[name] === undefined)
        .map((name) => (
          <TextField
            key={name}
            label={name.replaceAll('_', ' ')}
            hint={phrase('optional')}
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

/** Shows tasks, memory, GPUs, classes and images, if the system offers any of them. */
function ResourceFields({ draft, system, problems, onField }: ResourceFieldsProps) {
  const offered = extraFieldsOf(system);
  const { memory, gpu_number: gpus = 0 } = limitsOf(system, draft);
  const project = draft.project === '' ? system.default_project : draft.project;
  const of = (name: string) => ({
    error: problems.get(name),
    value: draft.fields[name] ?? '',
    onValue: (value: string) => onField(name, value),
  });
  const { cores_as: coresAs } = placeOf(system, draft);
  // A class without GPUs or tasks shows their fields only if something must be removed from them.
  const isOpen = (name: string) =>
    name === 'task_number' ? coresAs === 'choice' : !name.startsWith('gpu_') || gpus > 0;
  const isShown = (name: string) =>
    offered.includes(name) && (isOpen(name) || of(name).value !== '');
  const shown = Object.keys(resourceOptions).filter(isShown);
  if (shown.length === 0) return null;
  const [first, ...others] = classesFor(system, project).map(({ name }) => name);
  return (
    <div class={`fields ${shown.length === 3 ? 'three' : 'two'}`}>
      {first !== undefined && (
        <SelectField
          label={phrase('class')}
          hint={describeClass(system, draft.fields.class || first)}
          {...of('class')}
        >
          <option value="">{first}</option>
          <Options of={others} />
        </SelectField>
      )}
      {isShown('task_number') && (
        <TextField
          label={phrase('tasks')}
          hint={isOpen('task_number') ? phrase('tasksHint') : phrase('noTasks')}
          inputMode="numeric"
          {...of('task_number')}
        />
      )}
      {memory !== undefined && (
        <TextField
          label={phrase('memory')}
          hint={
            echoMemory(of('memory').value) ?? phrase('memoryHint', { most: writeMemory(memory) })
          }
          placeholder={phrase('byCores')}
          {...of('memory')}
        />
      )}
      {isShown('gpu_number') && (
        <TextField
          label={phrase('gpus')}
          hint={gpus > 0 ? phrase('oneToOrNone', { most: gpus }) : phrase('noGpus')}
          inputMode="numeric"
          {...of('gpu_number')}
        />
      )}
      {system.gpu_kinds && isShown('gpu_kind') && (
        <SelectField label={phrase('gpuKind')} {...of('gpu_kind')}>
          <option value="">{phrase('anyKind')}</option>
          <Options of={system.gpu_kinds} />
        </SelectField>
      )}
      {system.containers && (
        <TextField
          label={phrase('image')}
          hint={phrase('imageHint', { allowed: system.containers.images.join(', ') })}
          placeholder={phrase('noImage')}
          spellcheck={false}
          {...of('image')}
        />
      )}
    </div>
  );
}

function describeClass({ classes = [] }: System, chosen: string): string {
  const { description, charging_factor: factor = 1 } =
    classes.find(({ name }) => name === chosen) ?? {};
  return description ?? (factor === 1 ? '' : phrase('costsMore', { count: factor }));
}

type ProgramFieldProps = Pick<DraftFieldsProps, 'draft' | 'system' | 'problems' | 'onChange'>;

function ProgramField({ draft, system, problems, onChange }: ProgramFieldProps) {
  const field = programFieldOf(system);
  const tools = system.machine?.tools?.filter(({ available }) => available) ?? [];
  const common = {
    error: problems.get(field),
    value: draft.program,
    onValue: (program: string) => onChange({ program }),
  };
  if (field === 'tool' && tools.length > 0) {
    return (
      <SelectField {...common} label={phrase('tool')} hint={common.error ?? phrase('toolOfList')}>
        <option value="" />
        <Options of={tools.map(({ name }) => name)} />
      </SelectField>
    );
  }
  return field === 'command' ? (
    <LongTextField
      {...common}
      label={phrase('command')}
      hint={phrase('commandHint')}
      rows={2}
      required
      spellcheck={false}
    />
  ) : (
    <TextField
      {...common}
      label={phrase('tool')}
      hint={phrase('toolHint')}
      required
      spellcheck={false}
    />
  );
}
