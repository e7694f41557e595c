import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { nameOf } from '../../changes/describe-problem.ts';
import { SlipwayProblem } from '../../index.ts';
import type { Circumstances } from '../terminal/explain-problem.ts';
import { type Session, usualProfile } from './session.ts';

/** Nobody waits long for a better message. */
const patienceMs = 3_000;

/** Finds out what helps to explain an error: the words of the person, and names that exist. */
export async function findCircumstances(
  error: unknown,
  session: Session,
  command: CommandUnknownOpts,
): Promise<Circumstances> {
  const hpc = findWord(command, 'hpc');
  const project = findWord(command, 'project');
  return {
    address: findAddress(session),
    profile: session.profile === usualProfile ? '' : ` --profile ${session.profile}`,
    isAdmin: listPath(command).includes('admin'),
    isLead: listPath(command).includes('project'),
    hpc,
    project,
    user: findWord(command, 'user'),
    ...(error instanceof SlipwayProblem && (await readNames(error, session, hpc))),
  };
}

/** Returns an argument or an option by its name. */
function findWord(command: CommandUnknownOpts, name: string): string | undefined {
  const at = command.registeredArguments.findIndex((each) => each.name() === name);
  const word: unknown = command.args[at] ?? command.opts()[name];
  return typeof word === 'string' ? word : undefined;
}

function findAddress(session: Session): string | undefined {
  try {
    return session.address();
  } catch {
    return undefined;
  }
}

function listPath(command: CommandUnknownOpts): string[] {
  return [...(command.parent ? listPath(command.parent) : []), command.name()];
}

async function readNames(
  { problem }: SlipwayProblem,
  { client }: Session,
  hpc: string | undefined,
): Promise<Pick<Circumstances, 'systems' | 'projects'>> {
  const kind = nameOf(problem);
  const soon = { signal: AbortSignal.timeout(patienceMs) };
  try {
    if (kind === 'system-not-found') {
      return { systems: (await client.listSystems({}, soon)).map(({ name }) => name) };
    }
    if (kind !== 'project-not-found') return {};
    const projects = await client.listProjects({}, soon);
    const there = projects.filter((each) => each.project_hpc.toLowerCase() === hpc?.toLowerCase());
    return {
      projects: (there.length > 0 ? there : projects).map(({ project_name: name }) => name),
    };
  } catch {
    return {};
  }
}
