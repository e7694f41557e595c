import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fillPlaceholders } from '#lib/catalog/kinds/machine.ts';
import { JobRefusedError } from '../errors.ts';
import { quoteForShell } from '../script/quote-for-shell.ts';

/** The commands of the tools of a system, by their names. */
export type Tools = Readonly<Record<string, string>>;

export interface ToolState {
  readonly name: string;
  /** False if the program of the tool is not installed. */
  readonly available: boolean;
}

/** Lists the tools of a system, and whether each can be used. `path` is the PATH of jobs. */
export function listTools(tools: Tools, path: string): ToolState[] {
  return Object.entries(tools).map(([name, command]) => ({
    name,
    available: findProgram(programOf(command), path) !== undefined,
  }));
}

/**
 * Writes the shell command of a tool. Throws a JobRefusedError for a tool that this system does not
 * have, whose program is missing, or that lacks a field of the submission. A required field is a
 * value, such as a file, so it is refused if the program would take it for an option. Only a field
 * that may be missing can hold options.
 */
export function writeToolCommand(
  tools: Tools,
  name: string,
  extras: Readonly<Record<string, string>>,
  path: string,
): string {
  const command = Object.hasOwn(tools, name) ? tools[name] : undefined;
  const available = () =>
    listTools(tools, path).flatMap((tool) => (tool.available ? [tool.name] : []));
  if (command === undefined) {
    throw new JobRefusedError(`There is no tool '${name}'. ${listNames(available())}`);
  }
  const program = programOf(command);
  if (findProgram(program, path) === undefined) {
    throw new JobRefusedError(
      `The tool ${name} is not available: '${program}' is not installed on this machine. ${listNames(available())}`,
    );
  }
  return fillPlaceholders(command, (field, isOptional) => {
    const value = extras[field] ?? '';
    if (isOptional) return value === '' ? '' : quoteForShell(value);
    if (value === '') {
      throw new JobRefusedError(`The tool ${name} needs '${field}'. Submit the job with it.`);
    }
    if (value.startsWith('-')) {
      throw new JobRefusedError(
        `'${field}' begins with '-', so the tool ${name} would take it for an option. Write './${value}' for a file of that name.`,
      );
    }
    return quoteForShell(value);
  });
}

function listNames(names: readonly string[]): string {
  return names.length === 0
    ? 'No tool of this system is available.'
    : `Choose one of: ${names.join(', ')}.`;
}

function programOf(command: string): string {
  return command.trim().split(/\s+/)[0] ?? '';
}

/** Finds the file of a program as the shell does. Returns undefined if there is none. */
export function findProgram(program: string, path: string): string | undefined {
  if (program === '') return undefined;
  const places = isAbsolute(program)
    ? [program]
    : path
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, program));
  return places.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
