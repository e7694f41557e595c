import { ActDialog } from '../../act/act-dialog.tsx';

interface BanDialogProps {
  readonly user: string;
  /** `anywhere`, or `to proj_hpc_one_01`. */
  readonly where: string;
  readonly onBan: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function BanDialog({ user, where, onBan, onClose }: BanDialogProps) {
  return (
    <ActDialog
      title={`Ban ${user} from submitting ${where}?`}
      act="Ban"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await onBan(reason);
        return `${user} is banned.`;
      }}
    >
      {() => (
        <p>
          Whatever {user} submits {where} is refused with your reason. What runs goes on, and {user}{' '}
          can still read, fetch files and cancel. You can lift the ban at any time.
        </p>
      )}
    </ActDialog>
  );
}
