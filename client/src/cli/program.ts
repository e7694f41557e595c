import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import { createAdmin } from './admin/admin.ts';
import { createAgain, createBatch, createBatches } from './batches/batches.ts';
import { createResults } from './batches/results.ts';
import { createDownload, createFiles } from './files/files.ts';
import { createFolder } from './files/folder.ts';
import { createCancel, createRemove } from './jobs/cancel.ts';
import { createJob, createJobs } from './jobs/jobs.ts';
import { createLogs } from './jobs/logs.ts';
import { createSubmit } from './jobs/submit.ts';
import { createTemplates } from './jobs/templates.ts';
import { createWait } from './jobs/wait.ts';
import { createMcp } from './mcp/mcp.ts';
import { createProject } from './project/project.ts';
import { createAsk, createRequests } from './quotas/ask.ts';
import { createLedger, createQuotas, createUsage } from './quotas/quotas.ts';
import { createComplete } from './service/complete.ts';
import { createCompletion } from './service/completion.ts';
import { createDoctor } from './service/doctor.ts';
import { createLogin, createLogout } from './service/login.ts';
import { createNotifications } from './service/notifications.ts';
import { createOverview, createStatus, createSystems } from './service/status.ts';
import { createWebhooks } from './service/webhooks.ts';
import { findCircumstances } from './session/circumstances.ts';
import { readTimeOption } from './session/options.ts';
import { createCommand, type Open, openSession, type Session } from './session/session.ts';
import { languageCodes, speak } from './session/speak.ts';
import type { Host } from './terminal/host.ts';
import { type ExitCode, explain, outcome } from './terminal/outcome.ts';
import { openScreen } from './terminal/screen.ts';
import { helpWords, translateError } from './words/parser-words.ts';
import { phrase } from './words/phrase.ts';

/** Lists the commands in the order in which people need them, by topic. */
const rooms = () =>
  [
    [
      phrase('shared.groupJobs'),
      [
        createSubmit,
        createJobs,
        createJob,
        createWait,
        createLogs,
        createCancel,
        createRemove,
        createTemplates,
      ],
    ],
    [phrase('session.groupBatches'), [createBatches, createBatch, createResults, createAgain]],
    [phrase('session.groupFiles'), [createFiles, createDownload, createFolder]],
    [
      phrase('shared.groupQuotas'),
      [createQuotas, createLedger, createUsage, createAsk, createRequests],
    ],
    [
      phrase('session.groupService'),
      [
        createLogin,
        createLogout,
        createSystems,
        createStatus,
        createNotifications,
        createDoctor,
        createWebhooks,
        createCompletion,
        createMcp,
      ],
    ],
    [phrase('session.groupLedProjects'), [createProject]],
    [phrase('session.groupAdministration'), [createAdmin]],
  ] as const;

export function createProgram(host: Host, open: Open) {
  const program = createCommand('slipway', phrase('session.submitJobsToHpcSystems'))
    .examples(
      'slipway login --local',
      'slipway submit hpc_one ./my-study --command "node study.mjs" --wait',
      `slipway                      ${phrase('shared.showActiveJobsAndRemaining')}`,
    )
    .version(manifest.version, '-V, --version', phrase('session.printTheVersion'))
    .option('--profile <name>', phrase('session.signInProfileToUse'))
    .option('--json', phrase('session.printTheResponseAsJson'))
    .option('--lang <language>', phrase('session.language', { codes: languageCodes.join(', ') }))
    .option('--timeout <time>', phrase('session.timeLimitForEachAnswer'), readTimeOption);
  program.addCommand(createOverview(open), { hidden: true });
  program.addCommand(createComplete(open), { hidden: true });
  for (const [heading, makers] of rooms()) {
    program.commandsGroup(heading);
    for (const make of makers) program.addCommand(make(open));
  }
  prepareParser(program, host);
  return program;
}

/** Runs `slipway ...` and returns its exit code. */
export async function runCommand(words: readonly string[], host: Host): Promise<ExitCode> {
  const globals = readGlobals(words);
  const interrupt = new AbortController();
  host.onInterrupt(() => interrupt.abort());
  let ended: ExitCode = outcome.done;
  let run: { readonly session: Session; readonly command: CommandUnknownOpts } | undefined;
  const create = () =>
    createProgram(host, (command) => {
      const session = openSession(host, command.optsWithGlobals(), interrupt.signal, (how) => {
        ended = how;
      });
      run = { session, command };
      return session;
    });
  try {
    await speak(globals.wishes, host.environment);
    // Descriptions are in the language of the reader, which is known only now.
    await create().parseAsync([...words, ...(globals.isBare ? ['overview'] : [])], {
      from: 'user',
    });
    return ended;
  } catch (error) {
    // The parser has printed the message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? outcome.done : outcome.usage;
    const screen = openScreen(host);
    screen.endProgress();
    const around = run && (await findCircumstances(error, run.session, run.command));
    const { lines, outcome: how } = explain(error, interrupt.signal.aborted, around);
    screen.tell(...lines);
    return how;
  }
}

/** Reads the global options, which decide before the commands exist. */
function readGlobals(words: readonly string[]) {
  const globals = new Command()
    .option('--profile <name>')
    .option('--json')
    .option('--timeout <time>')
    .option('--lang <language>')
    .configureOutput({ writeErr: () => undefined })
    .exitOverride();
  try {
    const { operands, unknown } = globals.parseOptions([...words]);
    const isBare = operands.length === 0 && unknown.length === 0;
    return { isBare, wishes: globals.opts() };
  } catch {
    // The commands' own parser explains what is wrong.
    return { isBare: false, wishes: {} };
  }
}

/** Makes the parser write to the host and throw instead of exiting, for every command below. */
function prepareParser(command: CommandUnknownOpts, host: Host): void {
  const { out, err } = host;
  command
    .exitOverride()
    .helpOption('-h, --help', phrase('session.showHelp'))
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, ...helpWords })
    .showHelpAfterError(phrase('session.seeHelp', { path: pathOf(command) }))
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => out.columns ?? 100,
      getErrHelpWidth: () => err.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(translateError(text)),
    });
  for (const child of command.commands) prepareParser(child, host);
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
