import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSubmit } from '#client/src/cli/jobs/submit.ts';
import { oldOptions } from '#client/src/cli/submission/old-options.ts';
import { contractNames } from '#client/src/jobs/contract-names.ts';
import { oldNames } from '#client/src/jobs/old-names.ts';
import type { BatchSubmission } from '../../../client/src/index.ts';
import type { SubmissionOnNode } from '../../../client/src/node/index.ts';
import { startAssistant } from '../fixtures/assistant.ts';

const heads = ['HTTP', 'TypeScript', 'Python', 'command', 'assistants'] as const;

/** The rows of the table in the glossary: for each face, what stands in backticks. */
const rows = readTable(readFileSync('docs/glossary.md', 'utf8'));

function readTable(page: string): Record<(typeof heads)[number], string[]>[] {
  const [, section = ''] = page.split('## What a submission can say');
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  const table = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('| where |')),
  );
  expect(cellsOf(table[0] ?? '').slice(1)).toEqual([...heads]);
  return table.slice(1).map((line) => {
    const cells = cellsOf(line).slice(1);
    const wordsOf = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
    const [HTTP, TypeScript, Python, command, assistants] = cells.map(wordsOf);
    return {
      HTTP: HTTP ?? [],
      TypeScript: TypeScript ?? [],
      Python: Python ?? [],
      command: command ?? [],
      assistants: assistants ?? [],
    };
  });
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const told = (face: (typeof heads)[number]) => rows.flatMap((row) => row[face]).sort();

/** How a submission travels, and what is done with it. The table is about what it says. */
const travels = {
  ...{ input: true, folder: true, zip: true, filename: true, uploadId: true, onUpload: true },
  ...{ idempotencyKey: true, onProgress: true, signal: true },
};

/** Does not compile while the type has a field that is missing here, or the other way round. */
const fields: Record<keyof (SubmissionOnNode & BatchSubmission), boolean> = {
  ...travels,
  ...{ hpc: true, project: true, project_name: true, command: true, tool: true, runtime: true },
  ...{ nodes: true, cores: true, tasks: true, memory: true, gpus: true, gpuKind: true },
  ...{ class: true, image: true, title: true, fields: true, inputs: true, outputs: true },
  ...{ after: true, afterAny: true, inputFrom: true, inputFolder: true, inputFailed: true },
  ...{ count: true, table: true, maxRunning: true },
};

const actions = ['template', 'save-template', 'upload', 'dry-run', 'yes', 'wait', 'download'];

describe('the table of what a submission can say', () => {
  it('has every field of the payload', () => {
    const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const { BatchPayload, Payload } = components.schemas;
    expect(told('HTTP')).toEqual(Object.keys(BatchPayload.properties).sort());
    expect(told('HTTP')).toEqual(expect.arrayContaining(Object.keys(Payload.properties)));
  });

  it('has the spelling of the contract next to the word', () => {
    const pairs = rows.map(({ HTTP }) => HTTP).filter(({ length }) => length > 1);
    expect(Object.fromEntries(pairs.map(([word, contract]) => [contract, word]))).toEqual(
      contractNames,
    );
  });

  it('has every field of the types of the client', () => {
    const left = new Set([...Object.keys(travels), ...Object.keys(oldNames)]);
    expect(told('TypeScript')).toEqual(
      Object.keys(fields)
        .filter((name) => !left.has(name))
        .sort(),
    );
  });

  it('has every option of the command', () => {
    const command = createSubmit(() => {
      throw new Error('It is not run.');
    });
    const options = command.options
      .filter(({ hidden, long }) => !hidden && !actions.includes(long?.slice(2) ?? ''))
      .map(({ long }) => long);
    expect(told('command')).toEqual([...options, '<hpc>'].sort());
    expect(command.options.filter(({ hidden }) => hidden).map(({ long }) => long)).toEqual(
      Object.keys(oldOptions).map((old) => `--${old}`),
    );
  });

  it('has every parameter of the tools', async () => {
    const { client } = await startAssistant({ url: 'http://127.0.0.1:1', token: 'a.b.c' });
    const { tools } = await client.listTools();
    for (const tool of ['submit', 'estimate']) {
      const { properties = {} } = tools.find(({ name }) => name === tool)?.inputSchema ?? {};
      const names = Object.entries(properties)
        .filter(([, schema]) => !('deprecated' in schema))
        .map(([name]) => name);
      expect(told('assistants')).toEqual(
        names.filter((name) => name !== 'folder' && name !== 'files').sort(),
      );
    }
  });

  it('differs from place to place only in spelling', () => {
    const spelt = (word: string) =>
      word
        .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        .replaceAll(/^--|^<|>$|_$/g, '')
        .replaceAll('-', '_');
    const singular = new Map([
      ['field', 'fields'],
      ['input', 'inputs'],
      ['output', 'outputs'],
      ['rows', 'table'],
    ]);
    for (const row of rows) {
      const words = heads.flatMap((face) => row[face].slice(0, 1)).map(spelt);
      expect(new Set(words.map((word) => singular.get(word) ?? word)).size).toBe(1);
    }
  });
});
