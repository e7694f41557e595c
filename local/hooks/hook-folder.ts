import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type EventType, eventTypes } from '#lib/events/event.ts';

/** Programs of the operator's, each named after the type of event that starts it. */
export interface HookFolder {
  readonly path: string;
  /** Returns the program for a type of event, if there is one. Throws if others may change it. */
  find(type: EventType): string | undefined;
}

/**
 * Opens the folder of hooks. Throws if something in it must not be run. Looks again for every event,
 * so that a hook can be added without a restart.
 */
export function openHookFolder(directory: string): HookFolder {
  const path = findReal(directory);
  if (path === undefined) {
    throw new Error(
      `The folder of hooks is missing: HOOKS_DIR=${directory}. Make it, or unset HOOKS_DIR.`,
    );
  }
  refuseOthers(path);
  const find = (type: EventType) => {
    const name = join(path, type);
    const program = findReal(name);
    if (program === undefined) return undefined;
    refuseOthers(program);
    refuseNoProgram(name, program);
    return program;
  };
  for (const type of eventTypes) find(type);
  return { path, find };
}

/** Throws before anything is started if the folder, should there be one, cannot be used. */
export function checkHooks(directory: string | undefined): void {
  if (directory !== undefined) openHookFolder(directory);
}

/** Follows links, so that one program can serve several types of event. */
function findReal(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) && realpathSync(path);
}

/** Hooks run with the rights of the service, so nobody else may put something in their place. */
function refuseOthers(path: string): void {
  const owners = [0, process.getuid?.() ?? 0];
  for (let each = path; ; each = dirname(each)) {
    const { uid, mode } = statSync(each);
    // In a folder with the sticky bit, such as /tmp, others cannot replace what they do not own.
    const isOpen = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    if (!owners.includes(uid) || isOpen) {
      throw new Error(
        `The hooks in ${path} cannot be trusted, because others than root and the service can change ${each}. Give it to root (chown root ${each}; chmod go-w ${each}).`,
      );
    }
    if (each === dirname(each)) return;
  }
}

function refuseNoProgram(name: string, program: string): void {
  try {
    if (!statSync(program).isFile()) throw new Error('no file');
    accessSync(program, constants.X_OK);
  } catch {
    throw new Error(`The hook ${name} is not an executable file. Run chmod +x ${program}.`);
  }
}
