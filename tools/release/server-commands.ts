interface ServerCommand {
  /** The module that runs it, without its extension. */
  readonly file: string;
  readonly about: string;
}

/** What `slipway-server` can do. In a checkout the same commands are scripts of npm. */
export const serverCommands = {
  start: { file: 'local/start', about: 'runs the service until it is told to stop' },
  'catalog:check': {
    file: 'tools/catalog/catalog-check',
    about: 'checks a catalog, and tries its systems',
  },
  import: {
    file: 'tools/transfer/import',
    about: 'imports jobs and quotas, and grants of other systems',
  },
  export: { file: 'tools/transfer/export', about: 'writes jobs and quotas to a file' },
  backup: { file: 'tools/backup/backup', about: 'copies all data of the running service' },
  restore: {
    file: 'tools/backup/restore-replica',
    about: 'takes the service over from its replica, or tries the replica',
  },
  'restore:prepare': {
    file: 'tools/backup/restore-prepare',
    about: 'prepares a restored table for use',
  },
  'restore:unknown': {
    file: 'tools/backup/restore-unknown',
    about: 'lists jobs that a restored table does not know',
  },
  reconcile: {
    file: 'tools/reconcile/reconcile',
    about: 'checks accounts against jobs, ledgers and systems',
  },
  'reports:rebuild': {
    file: 'tools/reports/rebuild-reports',
    about: 'counts ended jobs that reports lack',
  },
  smoke: { file: 'tools/smoke/smoke', about: 'walks through the service as a user does' },
  token: { file: 'local/token', about: 'prints a token, on a service without an issuer' },
} as const satisfies Readonly<Record<string, ServerCommand>>;

const inCheckout = /npm (?:start|run (?:-s )?([a-z][a-z:]*)(?: --(?= ))?)/g;

/** Says in a text for people how to run a command of the archive, instead of a script of npm. */
export function sayHowToRun(text: string): string {
  return text.replace(inCheckout, (script, name: string = 'start') =>
    name in serverCommands ? `slipway-server ${name}` : script,
  );
}
