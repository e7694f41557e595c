import { useState } from 'preact/hooks';
import { readWhole } from '#client/src/format/numbers/write-number.ts';
import type { Project } from '#client/src/index.ts';
import { systemOf } from '../../browser/address.ts';
import { systemNames } from '../../live/catalog.ts';
import { Switch, SystemField, TextField } from '../../parts/form.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { useDraft } from '../parts/quota-fields.tsx';
import { phrase } from './words.ts';

interface ProjectDialogProps extends Behind {
  /** The project to change. Without it, a new one is opened. */
  readonly project?: Project | undefined;
}

/** Opens, changes or reopens a project, which is one act to the service. */
export function ProjectDialog({ project, ...behind }: ProjectDialogProps) {
  const systems = systemNames();
  const [hpc, setHpc] = useState(project ? systemOf(project) : (systems[0] ?? ''));
  const { draft, field } = useDraft({
    name: project?.project_name ?? '',
    description: project?.description ?? '',
    mostJobs: project ? String(project.max_living_jobs) : '',
    group: project?.members?.group ?? '',
  });
  const [shared, setShared] = useState(project?.shared ?? false);
  const { problems, body } = readProject({ ...draft, shared }, project);
  const words = describe(project);
  return (
    <ActDialog
      title={words.title}
      act={words.act}
      problems={problems}
      onAct={(service, reason) =>
        service.openProject({ hpc, any_project_name: draft.name, body: { ...body, reason } })
      }
      reasonHint={phrase('auditKeepsReason')}
      done={words.done}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{words.means}</p>
          {!project && (
            <div class="fields two">
              <SystemField systems={systems} value={hpc} onValue={setHpc} />
              <TextField
                label={phrase('name')}
                hint={phrase('nameHint')}
                {...field(
                  'name',
                  wrong,
                  wrong.has('project_name') ? 'project_name' : 'any_project_name',
                )}
              />
            </div>
          )}
          <TextField
            label={phrase('description')}
            hint={phrase('descriptionHint')}
            {...field('description', wrong)}
          />
          <TextField
            label={phrase('jobsPerUser')}
            hint={phrase('jobsHint')}
            {...field('mostJobs', wrong, 'max_living_jobs')}
          />
          <TextField
            label={phrase('group')}
            hint={phrase('groupHint')}
            {...field('group', wrong, 'members.group')}
          />
          <Switch on={shared} onSwitch={setShared}>
            {phrase('membersDraw')}
          </Switch>
        </>
      )}
    </ActDialog>
  );
}

function describe(project: Project | undefined) {
  if (!project) {
    return {
      title: phrase('open'),
      act: phrase('openProject'),
      means: phrase('openMeans'),
      done: phrase('opened'),
    };
  }
  if (project.closed) {
    return {
      title: phrase('openAgain', { project: project.project_name }),
      act: phrase('openProjectAgain'),
      means: phrase('openAgainMeans'),
      done: phrase('openedAgain'),
    };
  }
  return {
    title: phrase('change', { project: project.project_name }),
    act: phrase('saveChanges'),
    means: phrase('changeMeans'),
    done: phrase('changed'),
  };
}

/** A project as typed. An empty limit keeps the current one. */
interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly mostJobs: string;
  readonly group?: string;
  readonly shared?: boolean;
}

export function readProject(
  { name, description, mostJobs, group = '', shared = false }: ProjectDraft,
  before: Pick<Partial<Project>, 'description' | 'shared' | 'members'> = {},
) {
  const problems = new Map<string, string>();
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) {
    problems.set('any_project_name', phrase('wrongName'));
  }
  const most = mostJobs.trim();
  const whole = readWhole(most);
  if (most !== '' && (whole === undefined || whole > 9_999_999)) {
    problems.set('max_living_jobs', phrase('wrongJobs'));
  }
  return {
    problems,
    body: {
      ...(description !== (before.description ?? '') && { description }),
      ...(whole !== undefined && { max_living_jobs: whole }),
      ...(group.trim() !== (before.members?.group ?? '') && {
        members: group.trim() === '' ? null : { group: group.trim() },
      }),
      ...(shared !== (before.shared ?? false) && { shared }),
    },
  };
}
