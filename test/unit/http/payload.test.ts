import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { parseFields, parseHeader, refused } from '#test/fixtures/payloads.ts';
import { hpcOne, hpcTwo, systemSamples } from '#test/fixtures/samples.ts';

describe.each(systemSamples)('the Payload of $hpc', (sample) => {
  const system = findSystem(catalog, sample.hpc);
  const field = sample.programField;

  it('reads the golden payload', () => {
    expect(parseFields(sample, {})).toEqual({
      payload: {
        program: sample.program,
        nodes: 2,
        coresPerNode: 6,
        requestedRuntime: 2,
        title: 'a job title',
        extras: {},
      },
      problems: [],
    });
  });

  it.each([
    {
      header: undefined,
      message: 'This header is required: a JSON object that describes the job.',
    },
    { header: '', message: 'This header is required: a JSON object that describes the job.' },
    { header: ' \t ', message: 'This header is required: a JSON object that describes the job.' },
    { header: 'ls -lisa', message: 'It is not valid JSON.' },
    { header: '{"runtime": NaN}', message: 'It is not valid JSON.' },
    { header: "{'runtime': '1'}", message: 'It is not valid JSON.' },
    { header: '{"runtime": "1",}', message: 'It is not valid JSON.' },
    { header: '{"a": 1}{"b": 2}', message: 'It is not valid JSON.' },
    { header: '[]', message: 'It must be a JSON object.' },
    { header: '[{"runtime": "1"}]', message: 'It must be a JSON object.' },
    { header: `${'['.repeat(4000)}${']'.repeat(4000)}`, message: 'It must be a JSON object.' },
    { header: 'null', message: 'It must be a JSON object.' },
    { header: '5', message: 'It must be a JSON object.' },
    { header: '"{}"', message: 'It must be a JSON object.' },
    { header: 'true', message: 'It must be a JSON object.' },
  ])('refuses the header $header', ({ header, message }) => {
    expect(parseHeader(system, header)).toEqual({
      payload: undefined,
      problems: [{ location: 'header', name: 'Payload', message }],
    });
  });

  it('takes a header of 8,192 characters, and no longer one', () => {
    const text = JSON.stringify(sample.payload);
    const padded = (length: number) => text.replace('{', `{${' '.repeat(length - text.length)}`);
    expect(padded(8192)).toHaveLength(8192);
    expect(parseHeader(system, padded(8192)).problems).toEqual([]);
    const message = 'It has 8193 characters, but at most 8192 are allowed.';
    expect(parseHeader(system, padded(8193)).problems).toEqual([
      { location: 'header', name: 'Payload', message },
    ]);
    const nine = parseHeader(system, padded(9000));
    expect(nine.problems).toMatchObject([{ location: 'header', name: 'Payload' }]);
  });

  it('names every missing field at once', () => {
    const message = 'This field is required.';
    const location = 'payload';
    expect(parseHeader(system, '{}')).toEqual({
      payload: undefined,
      problems: [
        { location, name: field, message },
        { location, name: 'node_number', message },
        { location, name: 'core_number', message },
        { location, name: 'runtime', message },
      ],
    });
  });

  it('reports all problems of all kinds at once', () => {
    const changes = {
      [field]: 5,
      node_number: 'x',
      core_number: '0',
      runtime: '-1',
      title: 7,
      z: 1,
    };
    const { payload, problems } = parseFields(sample, changes);
    expect(payload).toBeUndefined();
    expect(problems.map(({ name }) => name)).toEqual([
      'z',
      field,
      'node_number',
      'core_number',
      'runtime',
      'title',
    ]);
  });

  it('takes the words of all other clients in place of those of the contract', () => {
    const { node_number: nodes, core_number: cores, ...others } = sample.payload;
    const read = (fields: object) => parseHeader(system, JSON.stringify({ ...others, ...fields }));
    expect(read({ nodes, cores })).toEqual(parseFields(sample, {}));
    expect(read({ nodes, core_number: cores })).toEqual(parseFields(sample, {}));
    expect(read({ nodes: 0, cores: 'x' }).problems.map(({ name }) => name)).toEqual([
      'nodes',
      'cores',
    ]);
    expect(read({ nodes }).problems.map(({ name }) => name)).toEqual(['core_number']);
  });

  it('refuses both, even if they agree', () => {
    const { node_number: nodes } = sample.payload;
    expect(parseFields(sample, { nodes })).toEqual(
      refused('nodes', 'It says the same as node_number. Give one of them.'),
    );
  });

  it.each(['gpus', 'tasks'])('names %s as it was sent, if the system lacks it', (name) => {
    expect(parseFields(sample, { [name]: 1 }).problems).toMatchObject([{ name }]);
  });

  it.each(['colour', '__proto__', 'constructor', 'toString', 'Runtime', 'runtime ', ''])(
    'refuses the unknown field %j by its name',
    (name) => {
      const text = JSON.stringify(sample.payload).replace('{', `{${JSON.stringify(name)}: {},`);
      const { payload, problems } = parseHeader(system, text);
      expect(payload).toBeUndefined();
      expect(problems).toEqual([
        {
          location: 'payload',
          name,
          message: expect.stringMatching(
            `^Unknown field on ${sample.hpc}. Known fields: ${field}, `,
          ),
        },
      ]);
    },
  );

  it('does not take fields from a prototype that a client sends', () => {
    const text = JSON.stringify({ proto: sample.payload }).replace('proto', '__proto__');
    const { payload, problems } = parseHeader(system, text);
    expect(payload).toBeUndefined();
    expect(problems.map(({ name }) => name)).toEqual([
      '__proto__',
      field,
      'node_number',
      'core_number',
      'runtime',
    ]);
    expect(Object.hasOwn(Object.prototype, 'node_number')).toBe(false);
  });

  it('cuts the name of an unknown field in its answer', () => {
    const { problems } = parseFields(sample, { ['x'.repeat(2000)]: 1 });
    expect(problems[0]?.name).toBe('x'.repeat(100));
  });

  it('refuses the field of the other system', () => {
    const other = sample === hpcOne ? 'tool' : 'command';
    const { payload, problems } = parseFields(sample, { [other]: 'x' });
    expect(payload).toBeUndefined();
    expect(problems.map(({ name }) => name)).toEqual([other]);
  });

  it.each([null, 5, true, ['ls'], { a: 1 }])(
    'refuses %j as what to run and as a title',
    (value) => {
      expect(parseFields(sample, { [field]: value })).toEqual(refused(field, 'It must be text.'));
      expect(parseFields(sample, { title: value })).toEqual(refused('title', 'It must be text.'));
    },
  );

  it.each(['', '   ', '\t\n'])('refuses %j as what to run', (value) => {
    expect(parseFields(sample, { [field]: value })).toEqual(
      refused(field, 'It must not be empty.'),
    );
  });

  it.each(['', '   '])('takes %j for an empty title', (title) => {
    expect(parseFields(sample, { title }).payload?.title).toBe('');
  });

  it('takes no title for an empty one', () => {
    expect(parseFields(sample, { title: undefined }).payload?.title).toBe('');
  });

  it('trims text', () => {
    const { payload } = parseFields(sample, {
      [field]: ` ${sample.program}\n`,
      title: ' a title ',
    });
    expect(payload).toMatchObject({ program: sample.program, title: 'a title' });
  });

  it('takes a title of 200 characters, and no longer one', () => {
    const longest = 'é'.repeat(100) + '🚢'.repeat(100);
    expect(parseFields(sample, { title: longest }).payload?.title).toBe(longest);
    expect(parseFields(sample, { title: ` ${longest} ` }).payload?.title).toBe(longest);
    expect(parseFields(sample, { title: `${longest}é` })).toEqual(
      refused('title', 'It has 201 characters, but at most 200 are allowed.'),
    );
  });

  it.each(['\u0000', '\u0007', '\u001b[2J', '\u007f', '\u0085', '\ud800', '\u202e', '\u2066'])(
    'refuses the character in %j',
    (character) => {
      expect(parseFields(sample, { title: `a${character}b` })).toEqual(
        refused(
          'title',
          'It must not contain control characters, marks that change the writing direction, or broken Unicode.',
        ),
      );
    },
  );
});

describe('the Payload: the command of hpc_one', () => {
  it('has 4,096 characters at most', () => {
    const longest = 'x'.repeat(4096);
    expect(parseFields(hpcOne, { command: longest }).payload?.program).toBe(longest);
    expect(parseFields(hpcOne, { command: `${longest}x` })).toEqual(
      refused('command', 'It has 4097 characters, but at most 4096 are allowed.'),
    );
  });

  it('may be a script of several lines', () => {
    const command = '#!/bin/bash\n\tsrun ./a.out\r\n./b.out';
    expect(parseFields(hpcOne, { command }).payload?.program).toBe(command);
  });

  it('keeps its letters as they are', () => {
    expect(parseFields(hpcOne, { command: 'ls -La' }).payload?.program).toBe('ls -La');
  });
});

describe('the Payload: the tool of hpc_two', () => {
  it('is folded to upper case', () => {
    expect(parseFields(hpcTwo, { tool: 'neuron74_Tg' }).payload?.program).toBe('NEURON74_TG');
  });

  it.each(['A-B', 'A B', 'A.B', 'A/B', 'Ä', 'ﬁ', 'A#B', '../A', 'A\nB', 'ſ'])(
    'is not %j',
    (tool) => {
      expect(parseFields(hpcTwo, { tool })).toEqual(
        refused('tool', 'It must be a name of letters, digits and underscores.'),
      );
    },
  );

  it('has 64 characters at most', () => {
    const longest = 'X'.repeat(64);
    expect(parseFields(hpcTwo, { tool: longest }).payload?.program).toBe(longest);
    expect(parseFields(hpcTwo, { tool: `${longest}X` })).toEqual(
      refused('tool', 'It has 65 characters, but at most 64 are allowed.'),
    );
  });
});

describe('the Payload: the extras of hpc_two', () => {
  it('are kept, trimmed', () => {
    const extras = { init_file: ' main.py ', python_option: '-u' };
    expect(parseFields(hpcTwo, extras).payload?.extras).toEqual({
      init_file: 'main.py',
      python_option: '-u',
    });
  });

  it('have 255 characters at most, and are not empty', () => {
    const longest = 'x'.repeat(255);
    expect(parseFields(hpcTwo, { init_file: longest }).payload?.extras).toEqual({
      init_file: longest,
    });
    expect(parseFields(hpcTwo, { init_file: `${longest}x` })).toEqual(
      refused('init_file', 'It has 256 characters, but at most 255 are allowed.'),
    );
    expect(parseFields(hpcTwo, { init_file: '' })).toEqual(
      refused('init_file', 'It must not be empty.'),
    );
    expect(parseFields(hpcTwo, { python_option: 1 })).toEqual(
      refused('python_option', 'It must be text.'),
    );
  });

  it('are unknown on hpc_one', () => {
    const { problems } = parseFields(hpcOne, { init_file: 'main.py' });
    expect(problems.map(({ name }) => name)).toEqual(['init_file']);
  });
});

describe('the Payload: the bytes of the header', () => {
  const one = findSystem(catalog, 'hpc_one');

  it.each(['Zellkörper', '細胞', '🧬 job', 'naïve'])('reads %s in UTF-8', (title) => {
    const text = JSON.stringify({ ...hpcOne.payload, title });
    const onTheWire = Buffer.from(text, 'utf8').toString('latin1');
    expect(parseHeader(one, onTheWire).payload?.title).toBe(title);
    expect(parseHeader(one, text).payload?.title).toBe(title);
  });

  it('reads escapes', () => {
    const text = JSON.stringify(hpcOne.payload).replace('a job title', '\\u7d30\\u80de');
    expect(parseHeader(one, text).payload?.title).toBe('細胞');
  });

  it('leaves Latin-1 that is no UTF-8 as it came', () => {
    const text = JSON.stringify({ ...hpcOne.payload, title: 'caf\u00e9' });
    expect(parseHeader(one, text).payload?.title).toBe('café');
  });
});
