import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { commandWith, type Emulator, tools, type Variables } from './emulator.ts';

const root = join(import.meta.dirname, '../..');

/** Options of a deployment of an assembly that asks nobody. */
export const unasked = (assembly: string) =>
  ['--app', assembly, '--require-approval', 'never'] as const;

/** Runs commands of docs/deploy.md on an emulator. Their output is in a log. */
export class Deployment {
  readonly #emulator: Emulator;
  readonly #log: string;

  constructor(emulator: Emulator, directory: string) {
    this.#emulator = emulator;
    this.#log = join(directory, 'commands.log');
    writeFileSync(this.#log, '');
  }

  /** Deploys an assembly, as `cdk deploy --all` does after the synthesis. */
  async deployAll(assembly: string): Promise<void> {
    await this.cdk('deploy', '--all', ...unasked(assembly));
  }

  async cdk(...args: readonly string[]): Promise<string> {
    return this.run('node_modules/.bin/cdk', args, this.#emulator.environment);
  }

  /** Runs the AWS CLI. */
  aws(...args: readonly string[]): Promise<string> {
    const command = join(tools, 'bin/aws');
    return this.run(command, ['--output', 'json', ...args], this.#emulator.environment);
  }

  /** Runs the AWS CLI and parses its answer. */
  async ask<Form extends v.GenericSchema>(
    form: Form,
    ...args: readonly string[]
  ): Promise<v.InferOutput<Form>> {
    const text = await this.aws(...args);
    return v.parse(form, text.trim() === '' ? undefined : JSON.parse(text));
  }

  /** Returns the standard output. Throws what the command printed if it fails. */
  run(command: string, args: readonly string[], variables: Variables): Promise<string> {
    return new Promise((resolve, reject) => {
      const all = commandWith(variables, command, ...args);
      const child = spawn('env', all, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      let printed = '';
      appendFileSync(this.#log, `\n$ ${command} ${args.join(' ')}\n`);
      const keep = (text: string) => {
        printed += text;
        appendFileSync(this.#log, text);
      };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        keep(text);
      });
      child.stderr.setEncoding('utf8').on('data', keep);
      child.on('error', reject);
      child.on('close', (status) => {
        if (status === 0) resolve(output);
        else reject(new CommandError(`${command} ${args.slice(0, 2).join(' ')}`, printed));
      });
    });
  }

  async outputs(stack: string): Promise<Readonly<Record<string, string>>> {
    const { Stacks } = await this.ask(
      v.object({ Stacks: v.tuple([v.object({ Outputs: OutputsForm })]) }),
      ...['cloudformation', 'describe-stacks', '--stack-name', stack],
    );
    return Object.fromEntries(
      Stacks[0].Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
    );
  }

  /** Returns all stacks that exist, with their state. Nested ones are among them. */
  async stacks(): Promise<readonly { readonly name: string; readonly status: string }[]> {
    const { Stacks } = await this.ask(
      v.object({ Stacks: v.array(v.object({ StackName: v.string(), StackStatus: v.string() })) }),
      ...['cloudformation', 'describe-stacks'],
    );
    return Stacks.map(({ StackName, StackStatus }) => ({ name: StackName, status: StackStatus }));
  }

  async resources(stack: string): Promise<readonly StackResource[]> {
    const { StackResourceSummaries } = await this.ask(
      v.object({ StackResourceSummaries: v.array(StackResourceForm) }),
      ...['cloudformation', 'list-stack-resources', '--stack-name', stack],
    );
    return StackResourceSummaries;
  }

  /** Returns the logical ids that the last change set surely modifies, replaces, adds or removes. */
  async changes(stack: string): Promise<readonly string[]> {
    const { Changes } = await this.ask(
      v.object({ Changes: v.array(v.object({ ResourceChange: ChangeForm })) }),
      ...['cloudformation', 'describe-change-set', '--stack-name', stack],
      ...['--change-set-name', 'cdk-deploy-change-set'],
    );
    return Changes.map(({ ResourceChange }) => ResourceChange)
      .filter(({ Replacement }) => Replacement !== 'Conditional')
      .map(({ LogicalResourceId }) => LogicalResourceId);
  }

  /** Returns the code of every function, with the time of its last change. */
  async functions(): Promise<ReadonlyMap<string, FunctionState>> {
    const { Functions } = await this.ask(
      v.object({ Functions: v.array(FunctionForm) }),
      ...['lambda', 'list-functions'],
    );
    return new Map(
      Functions.map(({ FunctionName, CodeSha256, LastModified }) => [
        FunctionName,
        { code: CodeSha256, since: LastModified },
      ]),
    );
  }

  get(api: string, path: string, token?: string): Promise<Answer> {
    return this.call(api, 'GET', path, token === undefined ? {} : bearer(token));
  }

  /** Calls the deployed API, by the address that the emulator gave it. */
  call(api: string, method: string, path: string, more: Variables): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { port } = this.#emulator;
      const headers = { ...more, host: `${api}.execute-api.localhost:${port}` };
      const target = { host: '127.0.0.1', port, method, path, headers, timeout: 20_000 };
      const outgoing = request(target, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} hangs.`)));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Waits until a stack has settled. Returns its state, and why it failed if it did. */
  async settle(stack: string): Promise<{ readonly status: string; readonly reasons: string }> {
    for (;;) {
      const status = (await this.stacks()).find(({ name }) => name === stack)?.status ?? 'DELETED';
      if (!status.endsWith('IN_PROGRESS')) return { status, reasons: await this.#reasons(stack) };
      await setTimeout(500);
    }
  }

  async #reasons(stack: string): Promise<string> {
    const { StackEvents } = await this.ask(
      v.object({ StackEvents: v.array(EventForm) }),
      ...['cloudformation', 'describe-stack-events', '--stack-name', stack],
    );
    return StackEvents.filter(({ ResourceStatus }) => ResourceStatus.endsWith('FAILED'))
      .map(({ ResourceStatusReason = '' }) => ResourceStatusReason)
      .join('\n');
  }

  /** Counts the resources that the events of a stack name as updated. */
  async countUpdatesInEvents(stack: string): Promise<number> {
    const { StackEvents } = await this.ask(
      v.object({ StackEvents: v.array(EventForm) }),
      ...['cloudformation', 'describe-stack-events', '--stack-name', stack],
    );
    const updated = StackEvents.filter(
      ({ ResourceStatus, LogicalResourceId }) =>
        ResourceStatus === 'UPDATE_COMPLETE' && LogicalResourceId !== stack,
    );
    return new Set(updated.map(({ LogicalResourceId }) => LogicalResourceId)).size;
  }
}

/** A command failed. The message has the end of what it printed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly output: string;

  constructor(command: string, output: string) {
    super(`${command} failed.\n${output.trimEnd().split('\n').slice(-15).join('\n')}`);
    this.output = output;
  }
}

/** Returns what a failed command printed. */
export function explainCommand(error: unknown): string {
  if (error instanceof CommandError) return error.output;
  throw error;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface FunctionState {
  /** The hash of its code. */
  readonly code: string;
  /** The time of its last change. */
  readonly since: string;
}

const OutputsForm = v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() }));

const StackResourceForm = v.object({
  LogicalResourceId: v.string(),
  PhysicalResourceId: v.string(),
  ResourceType: v.string(),
});

export type StackResource = v.InferOutput<typeof StackResourceForm>;

const ChangeForm = v.object({
  LogicalResourceId: v.string(),
  Replacement: v.optional(v.string()),
});

const FunctionForm = v.object({
  FunctionName: v.string(),
  CodeSha256: v.string(),
  LastModified: v.string(),
});

const EventForm = v.object({
  LogicalResourceId: v.string(),
  ResourceStatus: v.string(),
  ResourceStatusReason: v.optional(v.string()),
});
