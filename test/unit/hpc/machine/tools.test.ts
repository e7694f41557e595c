import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findProgram, listTools, writeToolCommand } from '#lib/hpc/machine/tools.ts';

const path = '/usr/bin:/bin';
const tools = {
  SHELL: 'sh {init_file}',
  MISSING: 'no-such-program-anywhere {init_file}',
  PRINT: `${'printf %s\\n'.replaceAll('\\', '')} {python_option?} {init_file}`,
};

describe('the tools of a machine', () => {
  it('are available if their program is installed', () => {
    expect(listTools(tools, path)).toEqual([
      { name: 'SHELL', available: true },
      { name: 'MISSING', available: false },
      { name: 'PRINT', available: true },
    ]);
  });

  it('quote every value for the shell', () => {
    expect(writeToolCommand(tools, 'SHELL', { init_file: 'run me.sh' }, path)).toBe(
      "sh 'run me.sh'",
    );
  });

  it.each([
    `'; echo broken #`,
    '$(echo broken)',
    '`echo broken`',
    '{python_option}',
    "a'b\\'c",
    './-x',
  ])('pass %s on as it is', (value) => {
    const print = { PRINT: 'printf %s. {init_file} {python_option}' };
    const extras = { init_file: value, python_option: "'; echo broken; '" };
    const command = writeToolCommand(print, 'PRINT', extras, path);
    const printed = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    expect(printed).toBe(`${value}.${extras.python_option}.`);
  });

  it.each(['-x', '--eval=process.exit(3)', '-'])('take no %s for a file', (value) => {
    const write = (extras: Record<string, string>) =>
      writeToolCommand(tools, 'PRINT', extras, path);
    expect(() => write({ init_file: value })).toThrow(
      `'init_file' begins with '-', so the tool PRINT would take it for an option. Write './${value}' for a file of that name.`,
    );
    expect(write({ init_file: 'a', python_option: value })).toContain(` '${value}' 'a'`);
  });

  it('leave out a value that may be missing', () => {
    expect(writeToolCommand(tools, 'PRINT', { init_file: 'a' }, path)).toMatch(
      /^printf \S+ {2}'a'$/,
    );
  });

  it.each([
    {
      name: 'NEURON',
      says: "There is no tool 'NEURON'. Choose one of: SHELL, PRINT.",
    },
    { name: 'toString', says: "There is no tool 'toString'. Choose one of: SHELL, PRINT." },
    {
      name: 'MISSING',
      says: "The tool MISSING is not available: 'no-such-program-anywhere' is not installed on this machine. Choose one of: SHELL, PRINT.",
    },
    { name: 'SHELL', says: "The tool SHELL needs 'init_file'. Submit the job with it." },
  ])('refuse $name in words', ({ name, says }) => {
    expect(() => writeToolCommand(tools, name, {}, path)).toThrow(says);
  });

  it('say so if none is available', () => {
    expect(() => writeToolCommand({}, 'SHELL', {}, path)).toThrow(
      "There is no tool 'SHELL'. No tool of this system is available.",
    );
  });
});

describe('findProgram', () => {
  it('looks in every folder of PATH, or at an absolute path', () => {
    expect(findProgram('sh', '/nowhere::/bin')).toBe('/bin/sh');
    expect(findProgram('/bin/sh', '')).toBe('/bin/sh');
    expect(findProgram('/etc/passwd', path)).toBeUndefined();
    expect(findProgram('tmp', '/')).toBeUndefined();
    expect(findProgram('', path)).toBeUndefined();
  });
});
