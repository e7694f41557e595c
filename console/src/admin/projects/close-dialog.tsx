import type { Project } from '#client/src/index.ts';
import { systemOf } from '../../address/system-of.ts';
import type { Session } from '../../connection/session.ts';
import { ActDialog } from '../act/act-dialog.tsx';

interface CloseDialogProps {
  readonly session: Session;
  readonly project: Project;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function CloseDialog({ session, project, onDone, onClose }: CloseDialogProps) {
  const { project_name: name } = project;
  return (
    <ActDialog
      title={`Close ${name}?`}
      act="Close it"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await session.service.closeProject({
          hpc: systemOf(project),
          any_project_name: name,
          body: { reason },
        });
        onDone();
        return 'The project is closed.';
      }}
    >
      {() => (
        <p>
          Nothing more can be submitted to it. Jobs that live there run to their end; files, quotas
          and ledgers stay. You can open it again.
        </p>
      )}
    </ActDialog>
  );
}
