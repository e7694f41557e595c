import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromBuffer } from 'yauzl';
import { readDuration } from '#client/src/format/times/duration.ts';
import { type BatchEstimate, type Job, SlipwayProblem, type System } from '#client/src/index.ts';
import { checksum, packFiles } from '#console/src/browser/pack-files.ts';
import { openProjects } from '#console/src/live/catalog.ts';
import { changeNeed, needOf, stopWaiting } from '#console/src/submit/after-field.tsx';
import {
  beginDraft,
  draftFromJob,
  keepForm,
  recallForm,
  toDraft,
} from '#console/src/submit/begin-draft.ts';
import {
  classesFor,
  type Draft,
  emptyDraft,
  judgeDraft,
  limitsOf,
  toSubmission,
} from '#console/src/submit/draft.ts';
import { listTableProblems } from '#console/src/submit/many-fields.tsx';
import { inputToEstimate, prepareInput, readChosen } from '#console/src/submit/prepare-input.ts';
import { describeLeft, describePrice } from '#console/src/submit/price-panel.tsx';
import { addTemplate, parseTemplates } from '#console/src/submit/templates.tsx';
import { writeCommand, writeCurl } from '#console/src/submit/write-commands.ts';
import { durations } from '#test/fixtures/durations.ts';

const one: System = {
  name: 'hpc_one',
  project_hpc: 'HPC_ONE',
  description: '',
  projects: ['p'],
  default_project: 'p',
  payload: { required: ['command', 'node_number'], optional: ['title'] },
  limits: { node_number: 512, core_number: 64, runtime: 24 },
  charging: 'node',
  simulated: true,
  live_output: true,
  cancel_keeps_output: true,
  stage_meanings: {},
  stages: [],
};
const two: System = {
  ...one,
  name: 'hpc_two',
  payload: { required: ['tool'], optional: ['title', 'init_file', 'python_option'] },
};

const draft: Draft = {
  ...emptyDraft,
  hpc: 'hpc_one',
  program: "echo 'hi'",
  nodes: '2',
  cores: '6',
  runtime: '1h 30min',
  title: 'first',
};

describe('a draft for many jobs', () => {
  const swept = { ...draft, program: 'run {index}', count: '500', table: 'p.csv', maxRunning: '4' };

  it('becomes a batch by number or by table', () => {
    expect(toSubmission({ ...swept, many: 'count' }, one)).toMatchObject({
      count: 500,
      maxRunning: 4,
    });
    const tabled = toSubmission({ ...swept, many: 'table', maxRunning: '' }, one);
    expect(tabled).toMatchObject({ table: 'p.csv' });
    expect(tabled).not.toHaveProperty('count');
    expect(tabled).not.toHaveProperty('maxRunning');
    const single = toSubmission(swept, one);
    for (const field of ['count', 'table', 'maxRunning']) {
      expect(single).not.toHaveProperty(field);
    }
  });

  it.each([
    [{ many: 'count', count: '0' }, ['count']],
    [{ many: 'count', maxRunning: 'x' }, ['max_running']],
    [{ many: 'table', table: '' }, ['table']],
    [{ many: '', count: '0', table: '', maxRunning: 'x' }, []],
  ])('with %j shows its mistakes', (change, fields) => {
    expect([...judgeDraft({ ...swept, ...change }).keys()]).toEqual(fields);
  });

  it('can be copied as a command and as curl', () => {
    expect(writeCommand({ ...swept, many: 'table' }, one, undefined)).toMatch(
      / --table p\.csv --max-running 4$/,
    );
    expect(writeCommand({ ...swept, many: 'count' }, one, undefined)).toContain(' --count 500 ');
    const curl = writeCurl({ ...swept, many: 'count' }, one, {
      api: 'https://a.org',
      input: undefined,
    });
    expect(curl).toContain('https://a.org/batches/hpc_one/');
    expect(curl).toContain('"count":500');
    expect(curl).toContain('"max_running":4');
    expect(curl).not.toContain('maxRunning');
  });

  it('has a price for all of them', () => {
    const estimate: BatchEstimate = {
      accepted: true,
      count: 500,
      runtime: 0.5,
      held: { time: 900_000, space: 0 },
      left: { time: 0, space: 0 },
      living_jobs: 500,
      max_living_jobs: 10_000,
      preview: [],
    };
    const price = describePrice(estimate, { nodes: 1, cores: 1 }, 'node');
    expect(price).toBe('500 jobs × 1 node × 30 min = 250 node-hours.');
    expect(describeLeft(estimate, 900_000, 'node')).toBe('0 of 250 left after this batch.');
  });

  it('shows all mistakes of its table by line', () => {
    const refused = new SlipwayProblem({
      type: 'urn:slipway:problem:invalid-request',
      title: 'Invalid',
      status: 400,
      detail: '',
      errors: [
        { location: 'body', name: 'p.csv:3', message: 'It has 1 cells.' },
        { location: 'body', name: 'p.csv:12', message: 'It has 3 cells.' },
        { location: 'payload', name: 'p.csv', message: 'It has no rows.' },
        { location: 'payload', name: 'runtime', message: 'Too long.' },
      ],
    });
    expect(listTableProblems(refused, 'p.csv')).toEqual([
      { line: '3', message: 'It has 1 cells.' },
      { line: '12', message: 'It has 3 cells.' },
      { line: undefined, message: 'It has no rows.' },
    ]);
    expect(listTableProblems(refused, '')).toEqual([]);
    expect(listTableProblems(new Error('no'), 'p.csv')).toEqual([]);
  });

  it('estimates a large input by its table alone', async () => {
    const table = { name: 'p.csv', content: new Blob(['a\n1\n']) };
    const large = new Blob([new Uint8Array(4_500_001)]);
    const input = { filename: 'in.zip', files: [], tables: [table] };
    const small = new Blob(['zip']);
    expect(await inputToEstimate({ ...input, zip: small }, 'p.csv')).toBe(small);
    expect(await inputToEstimate({ ...input, zip: large }, 'other.csv')).toBe(large);
    expect((await inputToEstimate({ ...input, zip: large }, 'p.csv')).size).toBeLessThan(1000);
  });
});

describe('a draft that waits', () => {
  const waiting = { ...draft, after: 'A-1 B-2' };

  it('names the jobs to wait for, unless it is a batch', () => {
    expect(toSubmission(waiting, one).after).toEqual(['A-1', 'B-2']);
    expect(toSubmission({ ...waiting, many: 'count' }, one)).not.toHaveProperty('after');
    expect(toSubmission(draft, one)).not.toHaveProperty('after');
    expect(writeCommand(waiting, one, undefined)).toMatch(/ --after A-1 --after B-2$/);
    const curl = writeCurl(waiting, one, { api: 'https://a.org', input: undefined });
    expect(curl).toContain('"after":["A-1","B-2"]');
  });

  it('needs a good end, any end, or the results of one', () => {
    const any = { ...waiting, ...changeNeed(waiting, 'A-1', 'end') };
    expect(needOf(any, 'A-1')).toBe('end');
    expect(toSubmission(any, one)).toMatchObject({ after: ['B-2'], afterAny: ['A-1'] });
    const taking = { ...any, ...changeNeed(any, 'B-2', 'results'), inputFolder: ' before ' };
    expect(needOf(taking, 'B-2')).toBe('results');
    const submission = toSubmission(taking, one);
    expect(submission).toMatchObject({ inputFrom: 'B-2', inputFolder: 'before' });
    expect(submission).not.toHaveProperty('after');
    expect(writeCommand(taking, one, undefined)).toContain(
      ' --after-any A-1 --input-from B-2 --input-folder before',
    );
    expect(writeCurl(taking, one, { api: 'https://a.org', input: undefined })).toContain(
      '"after_any":["A-1"],"input_from":"B-2","input_folder":"before"',
    );
    // Only one job gives its results.
    const other = { ...taking, ...changeNeed(taking, 'A-1', 'results') };
    expect([needOf(other, 'A-1'), needOf(other, 'B-2')]).toEqual(['results', 'success']);
    // Of a batch, the failed jobs can be left out.
    const some = { ...other, ...changeNeed(other, 'A-1', 'some') };
    expect(needOf(some, 'A-1')).toBe('some');
    expect(toSubmission(some, one)).toMatchObject({ inputFrom: 'A-1', inputFailed: 'leave_out' });
    expect(writeCommand(some, one, undefined)).toContain(' --input-failed leave_out');
    expect(writeCurl(some, one, { api: 'https://a.org', input: undefined })).toContain(
      '"input_failed":"leave_out"',
    );
    const whole = { ...some, ...changeNeed(some, 'A-1', 'results') };
    expect(toSubmission(whole, one)).not.toHaveProperty('inputFailed');
    const fewer = { ...other, ...stopWaiting(other, 'A-1') };
    expect(fewer).toMatchObject({ after: 'B-2', anyEnd: '', inputFrom: '' });
    expect(toSubmission(fewer, one)).not.toHaveProperty('inputFolder');
    expect(toSubmission({ ...taking, many: 'count' }, one)).not.toHaveProperty('inputFrom');
  });
});

describe('a draft', () => {
  it('becomes a submission', () => {
    expect(toSubmission(draft, one)).toEqual({
      hpc: 'hpc_one',
      command: "echo 'hi'",
      nodes: 2,
      cores: 6,
      runtime: 1.5,
      title: 'first',
      fields: {},
    });
  });

  it('has only the fields of its system', () => {
    const fields = { init_file: 'a.py', python_option: '', other: 'x' };
    const submission = toSubmission({ ...draft, hpc: 'hpc_two', project: 'q', fields }, two);
    expect(submission).toMatchObject({
      project: 'q',
      tool: "echo 'hi'",
      fields: { init_file: 'a.py' },
    });
    expect(submission).not.toHaveProperty('command');
    expect(submission.fields).toEqual({ init_file: 'a.py' });
  });

  it.each([
    [{}, []],
    [{ runtime: '90 parsecs' }, ['runtime']],
    [{ runtime: '' }, ['runtime']],
    [{ nodes: '0' }, ['node_number']],
    [{ nodes: '1.5', cores: '' }, ['node_number', 'core_number']],
  ])('with %j shows mistakes before anything is sent', (change, fields) => {
    expect([...judgeDraft({ ...draft, ...change }).keys()]).toEqual(fields);
  });

  it('can be copied as a command and as curl', () => {
    expect(writeCommand(draft, one, undefined)).toBe(
      "slipway submit hpc_one --command 'echo '\\''hi'\\''' --nodes 2 --cores 6 --runtime 1h30min --title first",
    );
    const input = { filename: 'input.zip', files: [] };
    expect(writeCurl({ ...draft, project: 'q' }, one, { api: 'https://a.org', input })).toBe(
      [
        'curl -X POST https://a.org/jobs/hpc_one/q/',
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'Content-Type: application/zip'",
        "-H 'Content-Disposition: attachment; filename=input.zip'",
        `-H 'Payload: {"command":"echo '\\''hi'\\''","nodes":2,"cores":6,"runtime":1.5,"title":"first"}'`,
        '--data-binary @input.zip',
      ].join(' \\\n  '),
    );
  });

  const files = [{ name: 'a.py', bytes: 1 }];

  it.each([
    [{ filename: 'study.zip', folder: 'study', files }, 'slipway submit hpc_one ./study --command'],
    [{ filename: 'my study.zip', folder: 'my study', files }, "hpc_one './my study' --command"],
    [{ filename: 'Data.zip', files: [] }, 'slipway submit hpc_one ./Data.zip --command'],
    [{ filename: 'input.zip', files }, 'slipway submit hpc_one . --command'],
  ])('names its own input: %j', (input, words) => {
    expect(writeCommand(draft, one, input)).toContain(words);
  });

  it('packs the input for curl if it is not a zip, and sends none if there is none', () => {
    const curl = (input: Parameters<typeof writeCommand>[2]) =>
      writeCurl(draft, one, { api: 'https://a.org', input });
    const packed = curl({ filename: '研究.zip', folder: '研究', files });
    expect(packed).toMatch(/^\(cd '\.\/研究' && zip -qr '\.\.\/研究\.zip' \.\)\ncurl /);
    expect(packed).toContain("filename*=UTF-8'\\'''\\''%E7%A0%94%E7%A9%B6.zip");
    expect(packed).toContain("--data-binary '@研究.zip'");
    expect(curl({ filename: 'input.zip', files })).toMatch(/^zip -q input\.zip \.\/a\.py\ncurl /);
    expect(curl(undefined)).not.toMatch(/data-binary|Content-Type|zip -q/);
  });

  it('keeps a title that starts with a dash from being an option', () => {
    expect(writeCommand({ ...draft, title: '-x' }, one, undefined)).toContain('--title=-x');
  });
});

describe('a system with memory, GPUs and classes', () => {
  const offer = { node_number: 8, core_number: 32, runtime: 24, memory: '256 GB', gpu_number: 4 };
  const classes = [
    { name: 'normal', limits: { ...offer, gpu_number: 0 }, charging_factor: 1 },
    { name: 'gpu', limits: { ...offer, node_number: 2 }, charging_factor: 1 },
    { name: 'urgent', limits: offer, charging_factor: 2, projects: ['q'] },
  ];
  const optional = ['title', 'task_number', 'memory', 'gpu_number', 'gpu_kind', 'class', 'image'];
  const three: System = {
    ...one,
    payload: { ...one.payload, optional },
    limits: offer,
    gpu_kinds: ['a100'],
    classes,
  };
  const chosen = {
    ...draft,
    title: '',
    fields: {
      class: 'gpu',
      task_number: '2',
      memory: '16 GB',
      gpu_number: '2',
      gpu_kind: '',
      image: 'ghcr.io/org/tool:2',
    },
  };

  it('sends what was filled in', () => {
    expect(toSubmission(chosen, three).fields).toEqual({
      class: 'gpu',
      task_number: '2',
      memory: '16 GB',
      gpu_number: '2',
      image: 'ghcr.io/org/tool:2',
    });
  });

  it('is written with the options of the command', () => {
    expect(writeCommand(chosen, three, undefined)).toMatch(
      /--tasks 2 --memory '16 GB' --gpus 2 --class gpu --image ghcr.io\/org\/tool:2$/,
    );
  });

  it('has the limits of the chosen class, or of the first that the project may use', () => {
    expect(limitsOf(three, chosen).node_number).toBe(2);
    expect(limitsOf(three, draft).gpu_number).toBe(0);
    expect(limitsOf(one, draft)).toBe(one.limits);
    expect(classesFor(three, 'p').map(({ name }) => name)).toEqual(['normal', 'gpu']);
    expect(classesFor(three, 'q')).toHaveLength(3);
  });
});

describe('the price', () => {
  const estimate = {
    accepted: true as const,
    runtime: 0.5,
    held: { time: 3600, space: 0 },
    left: { time: 17_996_400, space: 0 },
    living_jobs: 1,
    max_living_jobs: 10,
  };

  it.each([
    ['node', '2 nodes × 30 min = 1 node-hour.'],
    ['core', '2 nodes × 6 cores × 30 min = 1 core-hour.'],
    ['wall-clock', '30 min = 1 hour.'],
  ] as const)('by %s is written as a sentence', (charging, sentence) => {
    expect(describePrice(estimate, { nodes: 2, cores: 6 }, charging)).toBe(sentence);
  });

  it('by weights names all that the job gets', () => {
    const resources = { memory: '64 GB', gpu_number: 1, gpu_kind: 'a100', class: 'gpu' };
    const weighed = { ...estimate, held: { time: 950_400, space: 0 }, resources };
    expect(describePrice(weighed, { nodes: 2, cores: 8 }, 'weights')).toBe(
      '2 nodes with 8 cores, 64 GB of memory, 1 GPU (a100), class gpu, 30 min: 264 charged hours.',
    );
  });

  it('says what is left after it', () => {
    expect(describeLeft(estimate, 18_000_000, 'node')).toBe('4,999 of 5,000 left after this job.');
    expect(describeLeft(estimate, undefined, 'core')).toBe('4,999 core-hours left after this job.');
  });
});

describe('a zip that is packed here', () => {
  const text = 'a line that repeats\n'.repeat(10_000);
  const files = [
    { name: 'main.py', content: new Blob(['print(1)\n']) },
    { name: 'data/größe.txt', content: new Blob([text]) },
    { name: 'empty', content: new Blob([]) },
  ];

  it('is what others unpack', async () => {
    const seen: number[] = [];
    const zip = await packFiles(files, (done, whole) => seen.push(done / whole));
    expect(zip.size).toBeLessThan(2000);
    expect(await unpack(zip)).toEqual([
      ['main.py', 'print(1)\n'],
      ['data/größe.txt', text],
      ['empty', ''],
    ]);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('is the same each time', async () => {
    const [first, second] = [await packFiles(files), await packFiles(files)];
    expect(await first.bytes()).toEqual(await second.bytes());
  });

  it('has no more files than a job may have', async () => {
    const many = Array(10_001).fill(files[0]);
    await expect(packFiles(many)).rejects.toThrow('There are 10,001 files; a zip may have 10,000.');
  });

  it('has the checksums that zips have', () => {
    expect(checksum(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    const first = checksum(new TextEncoder().encode('12345'));
    expect(checksum(new TextEncoder().encode('6789'), first)).toBe(0xcbf43926);
  });
});

describe('an input', () => {
  const nothing = () => undefined;

  it('is the dropped zip, unchanged', async () => {
    const content = new Blob(['PK']);
    const input = await prepareInput({ files: [{ name: 'Study.ZIP', content }] }, nothing);
    expect(input).toEqual({ zip: content, filename: 'Study.ZIP', files: [] });
  });

  it('is packed otherwise, sorted by name and without system files', async () => {
    const content = new Blob(['x']);
    const names = ['b.txt', '.DS_Store', 'a/Thumbs.db', '__MACOSX/b.txt', 'a/c.txt'];
    const input = await prepareInput(
      { files: names.map((name) => ({ name, content })), folder: 'study' },
      nothing,
    );
    expect(input).toMatchObject({ folder: 'study', filename: 'study.zip' });
    expect(input?.files).toEqual([
      { name: 'a/c.txt', bytes: 1 },
      { name: 'b.txt', bytes: 1 },
    ]);
  });

  it('is undefined if nothing was dropped', async () => {
    expect(await prepareInput({ files: [] }, nothing)).toBeUndefined();
  });
});

async function unpack(zip: Blob): Promise<[string, string][]> {
  const { promise, resolve, reject } = Promise.withResolvers<[string, string][]>();
  const found: [string, string][] = [];
  fromBuffer(Buffer.from(await zip.arrayBuffer()), { lazyEntries: true }, (error, opened) => {
    if (error) return reject(error);
    opened.on('entry', (entry) => {
      opened.openReadStream(entry, async (failure, stream) => {
        if (failure) return reject(failure);
        const chunks = await Array.fromAsync(stream);
        found.push([entry.fileName, Buffer.concat(chunks).toString()]);
        opened.readEntry();
      });
    });
    opened.on('end', () => resolve(found));
    opened.on('error', reject);
    opened.readEntry();
  });
  return promise;
}

describe('a job from another browser', () => {
  const job: Job = {
    id: 1,
    job_id: 'J-1',
    owner: '306328',
    project: 1,
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    title: 'again',
    runtime: 2.5,
    stage: 'SUCCESSFUL',
    terminal_stage: true,
    failed: false,
    init_date: '2026-11-15T08:30:00Z',
    end_date: null,
  };

  const request = {
    command: 'python3 main.py',
    inputs: [{ from: 'https://data.example.org/a.nc', to: 'b.nc' }],
    node_number: 3,
    core_number: 24,
    memory: '64 GB',
    fields: { note: 'x' },
    input: { filename: 'study.zip', length: 3_100_000 },
  };

  it('is filled in from what the service knows, except for its input', () => {
    const { draft, missing } = draftFromJob({ ...job, request });
    expect(draft).toMatchObject({
      hpc: 'hpc_one',
      project: 'proj_hpc_one_01',
      title: 'again',
      runtime: '2 h 30 min',
      nodes: '3',
      cores: '24',
      program: 'python3 main.py',
      fields: { note: 'x', memory: '64 GB' },
      inputs: 'https://data.example.org/a.nc=b.nc',
    });
    expect(missing).toBe('Drop the input again: the job had study.zip, 3.1 MB.');
    expect(draftFromJob({ ...job, request: { ...request, input: null } }).missing).toBeUndefined();
  });

  it('says so if nobody knows what it asked for', () => {
    const { draft, missing } = draftFromJob({ ...job, request: null });
    expect(draft).toMatchObject({ nodes: '1', program: '', runtime: '2 h 30 min' });
    expect(missing).toContain('Fill in what to run');
  });

  it.each(durations.texts)('takes the runtime %j', (runtime, hours) => {
    const typed = { ...draft, runtime };
    expect([...judgeDraft(typed).keys()]).toEqual([]);
    expect(toSubmission(typed, one).runtime).toBeCloseTo(hours, 9);
  });

  it.each([...durations.refused, ...durations.numbers.map(([text]) => text)])(
    'refuses the runtime %j',
    (runtime) => {
      expect([...judgeDraft({ ...draft, runtime }).keys()]).toEqual(['runtime']);
    },
  );

  it('begins with the runtime of an old draft', () => {
    expect(toDraft({ time: '2h' }).runtime).toBe('2h');
    expect(toDraft({ time: '2h', runtime: '3h' }).runtime).toBe('3h');
  });

  it('keeps its exact time', () => {
    const long = draftFromJob({ ...job, runtime: 25.01 }).draft;
    expect(readDuration(long.runtime)).toBeCloseTo(25.01 * 3600);
  });
});

describe('files to fetch', () => {
  const open = {
    ...one,
    inputs: { hosts: ['data.example.org'], paid_by: 'site' as const, fetched_by: 'job' as const },
  };
  const inputs = 'https://data.example.org/a.nc\n\nhttps://data.example.org/b=c/d\n';

  it('are read line by line, and written as options', () => {
    expect(toSubmission({ ...draft, inputs }, open).inputs).toEqual([
      { from: 'https://data.example.org/a.nc', to: 'a.nc' },
      { from: 'https://data.example.org/b', to: 'c/d' },
    ]);
    expect(writeCommand({ ...draft, inputs }, open, undefined)).toContain(
      '--input https://data.example.org/a.nc=a.nc --input https://data.example.org/b=c/d',
    );
    expect(toSubmission({ ...draft, inputs }, one)).not.toHaveProperty('inputs');
  });

  it('are asked for again if a line cannot be read', () => {
    expect([...judgeDraft({ ...draft, inputs: `${inputs}nothing` }, open).keys()]).toEqual([
      'inputs',
    ]);
  });
});

describe('files to send', () => {
  const open = {
    ...one,
    outputs: { hosts: [], buckets: ['s3://lab/*'], paid_by: 'site' as const },
  };
  const outputs = 'out/*.nc=s3://lab/runs/\na=b.txt=https://store.example.org/x?k=v\n';

  it('are read line by line, and written as options', () => {
    expect(toSubmission({ ...draft, outputs }, open).outputs).toEqual([
      { files: 'out/*.nc', to: 's3://lab/runs/' },
      { files: 'a=b.txt', to: 'https://store.example.org/x?k=v' },
    ]);
    expect(writeCommand({ ...draft, outputs }, open, undefined)).toContain(
      "--output 'out/*.nc=s3://lab/runs/' --output 'a=b.txt=https://store.example.org/x?k=v'",
    );
    expect(toSubmission({ ...draft, outputs }, one)).not.toHaveProperty('outputs');
  });

  it('are asked for again if a line cannot be read', () => {
    expect([...judgeDraft({ ...draft, outputs: `${outputs}nothing` }, open).keys()]).toEqual([
      'outputs',
    ]);
  });
});

describe('limits of a system', () => {
  it('are checked beside the fields, those of the chosen class first', () => {
    const limits = { node_number: 4, core_number: 8, runtime: 1 };
    const classed = { ...one, classes: [{ name: 'small', limits, charging_factor: 1 }] };
    const wanted = { ...draft, nodes: '999', cores: '9' };
    expect([...judgeDraft(wanted, one)]).toEqual([
      ['node_number', 'Enter at most 512, the limit of hpc_one.'],
    ]);
    expect([...judgeDraft(wanted, classed).keys()]).toEqual(['node_number', 'core_number']);
    expect(judgeDraft({ ...wanted, nodes: '512' }, one).size).toBe(0);
  });
});

describe('a chosen folder', () => {
  it('gives its name to the zip, and its files drop it', () => {
    const file = new File(['x'], 'a.py');
    Object.defineProperty(file, 'webkitRelativePath', { value: 'study/data/a.py' });
    expect(readChosen([file])).toEqual({
      files: [{ name: 'data/a.py', content: file }],
      folder: 'study',
    });
    const loose = Object.defineProperty(new File(['x'], 'b.py'), 'webkitRelativePath', {
      value: '',
    });
    expect(readChosen([loose])).toEqual({ files: [{ name: 'b.py', content: loose }] });
    expect(readChosen([])).toEqual({ files: [] });
  });
});

describe('a new form', () => {
  it('does not start with a project that was closed', () => {
    const project = { id: 1, project_hpc: 'HPC_ONE', default: false, max_living_jobs: 1 };
    const projects = [
      { ...project, project_name: 'open' },
      { ...project, project_name: 'shut', closed: true },
    ];
    const catalog = { systems: [one], projects };
    expect(openProjects(catalog).map(({ project_name: name }) => name)).toEqual(['open']);
    const begin = (name: string) => {
      const stored = JSON.stringify({ hpc: 'hpc_one', project: name });
      vi.stubGlobal('localStorage', { getItem: () => stored });
      return beginDraft('306328', catalog).draft.project;
    };
    onTestFinished(() => void vi.unstubAllGlobals());
    expect([begin('open'), begin('shut'), begin('gone')]).toEqual(['open', '', '']);
  });
});

describe('a form that was left', () => {
  it('is kept for its user and its job, and for nobody else who signs in here', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const catalog = { systems: [one], projects: [] };
    keepForm({ user: '306328', of: '' }, { ...draft, program: './private' }, undefined);
    const recall = (user: string, of: string) => recallForm({ user, of }, catalog)?.draft.program;
    expect(recall('306328', '')).toBe('./private');
    expect([recall('306328', 'A'), recall('306329', '')]).toEqual([undefined, undefined]);
  });
});

describe('templates', () => {
  const kept = { name: 'study', draft };

  it('keep the form, without the jobs that it waits for', () => {
    const waiting = { ...draft, after: 'A', anyEnd: 'A', inputFrom: 'A', inputFolder: 'in' };
    expect(addTemplate([], { name: 'study', draft: waiting })).toEqual([kept]);
  });

  it('replace one of the same name, and are fifty at most', () => {
    const other = { name: 'study', draft: { ...draft, nodes: '9' } };
    expect(addTemplate([kept], other)).toEqual([other]);
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `${index}`, draft }));
    const names = addTemplate(many, kept).map(({ name }) => name);
    expect(names).toHaveLength(50);
    expect([names[0], names.at(-1)]).toEqual(['1', 'study']);
  });

  it('survive what somebody else wrote into the storage', () => {
    expect(parseTemplates([kept])).toEqual([kept]);
    for (const other of [undefined, 'text', [7], [{ name: 7, draft }], [{ name: 'a' }]]) {
      expect(parseTemplates(other)).toEqual([]);
    }
    expect(parseTemplates([{ name: 'a', draft: { nodes: 7 } }])).toEqual([
      { name: 'a', draft: emptyDraft },
    ]);
  });
});
