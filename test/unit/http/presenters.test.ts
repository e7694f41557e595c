import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { DetectedEvent } from '#lib/events/detected-event.ts';
import { closedBreaker } from '#lib/hpc/breaker/breaker-rules.ts';
import {
  presentProject,
  presentStatus,
  presentSystem,
} from '#lib/http/presenters/present-catalog.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { jobLocation, presentFiles, presentJob } from '#lib/http/presenters/present-job.ts';
import { presentQuota } from '#lib/http/presenters/present-quota.ts';
import { float, timestamp } from '#lib/http/presenters/values.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { quotaFromItem } from '#lib/quotas/quota-item.ts';
import {
  hpcOne,
  hpcTwo,
  jobBody,
  jobItem,
  quotaBody,
  quotaItem,
  submittedAt,
  systemSamples,
  user,
} from '#test/fixtures/samples.ts';

describe('float', () => {
  it.each([
    { value: 2, text: '2.0' },
    { value: 0, text: '0.0' },
    { value: 24, text: '24.0' },
    { value: 0.5, text: '0.5' },
    { value: 0.1 + 0.2, text: '0.30000000000000004' },
    { value: 10_000_000, text: '10000000.0' },
    { value: 2 ** 53 - 1, text: '9007199254740991.0' },
    { value: -3, text: '-3.0' },
    { value: 1e-7, text: '1e-7' },
    { value: 1e21, text: '1e+21' },
  ])('writes $value as $text', ({ value, text }) => {
    expect(JSON.stringify({ a: float(value) })).toBe(`{"a":${text}}`);
    expect(JSON.parse(text)).toBe(value);
  });
});

describe('timestamp', () => {
  it('is of whole seconds, in UTC', () => {
    expect(timestamp(new Date('2019-02-10T22:40:01.999Z'))).toBe('2019-02-10T22:40:01Z');
    expect(timestamp(new Date('2019-02-10T23:40:01+01:00'))).toBe('2019-02-10T22:40:01Z');
  });
});

describe('presentJob', () => {
  it.each(systemSamples)('shows a job of $hpc, living and ended', (sample) => {
    for (const facts of [{ ended: false }, { ended: true }]) {
      const job = jobFromItem(jobItem(sample, facts));
      expect(JSON.parse(JSON.stringify(presentJob(job)))).toEqual(jobBody(sample, facts));
    }
  });

  it('writes the text of the contract, field for field', () => {
    const facts = { id: 81, ended: true };
    expect(JSON.stringify(presentJob(jobFromItem(jobItem(hpcTwo, facts))))).toBe(
      '{"end_date":"2019-02-10T23:21:51Z","failed":false,"id":81,' +
        '"init_date":"2019-02-10T22:40:01Z",' +
        '"job_id":"NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280","owner":"306328",' +
        '"project":2,"project_hpc":"HPC_TWO","project_name":"proj_hpc_two_01","runtime":0.5,' +
        '"stage":"COMPLETED","terminal_stage":true,"title":"a job title"}',
    );
  });

  it('shows nothing of what is held', () => {
    const text = JSON.stringify(presentJob(jobFromItem(jobItem(hpcOne))));
    expect(text).not.toMatch(/held|hold|schema|type/);
  });

  it('is found where jobLocation says', () => {
    expect(jobLocation(jobFromItem(jobItem(hpcOne)))).toBe(
      '/jobs/hpc_one/proj_hpc_one_01/AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA/',
    );
  });
});

describe('presentFiles', () => {
  const fileOf = (name: string) => {
    return { id: `~${Buffer.from(name).toString('base64url')}`, name, bytes: 1e12 };
  };

  it.each(['"', '\\', '文', 'x'])('fits into one answer, with names of %s', (letter) => {
    const names = Array.from({ length: 10_001 }, (_, n) => `${n}`.padEnd(250, letter));
    const shown = presentFiles(names.map(fileOf));
    const answer = JSON.stringify({ statusCode: 200, body: JSON.stringify(shown) });
    expect(Buffer.byteLength(answer)).toBeLessThan(6 * 1024 * 1024);
    expect(shown.length).toBeGreaterThan(1_000);
    expect(shown.map(({ filename }) => filename)).toEqual(names.slice(0, shown.length));
  });

  it('has all files with ordinary names', () => {
    const names = Array.from({ length: 10_001 }, (_, n) => `results/of/a/long/study/part-${n}.csv`);
    expect(presentFiles(names.map(fileOf))).toHaveLength(10_001);
    expect(presentFiles([])).toEqual([]);
  });
});

describe('presentQuota', () => {
  it('writes the text of the contract, field for field', () => {
    const quota = quotaFromItem(quotaItem(hpcTwo, { id: 1, timeLeft: 17_994_600 }));
    expect(JSON.stringify(presentQuota(quota))).toBe(
      '{"id":1,"project":2,"project_hpc":"HPC_TWO","project_name":"proj_hpc_two_01",' +
        '"space_left":10000000.0,"time_left":17994600,"user":"306328"}',
    );
  });

  it.each(systemSamples)('shows what is left on $hpc', (sample) => {
    const facts = { id: 5, timeLeft: 3, spaceLeft: 4 };
    const body = JSON.parse(JSON.stringify(presentQuota(quotaFromItem(quotaItem(sample, facts)))));
    expect(body).toEqual(quotaBody(sample, facts));
  });
});

describe('presentEvent', () => {
  it.each([
    { resource: 'time', amount: 18_000_000, shown: '18000000' },
    { resource: 'space', amount: 10_000_000, shown: '10000000.0' },
  ] as const)(
    'writes the $resource that was granted as a quota does',
    ({ resource, amount, shown }) => {
      const event: DetectedEvent = {
        id: 'e1',
        owner: user,
        at: submittedAt,
        type: 'quota.low',
        quota: quotaFromItem(quotaItem(hpcOne)),
        resource,
        thresholdPercent: 20,
        granted: amount,
      };
      expect(JSON.stringify(presentEvent(event))).toContain(
        `"resource":"${resource}","threshold_percent":20,"granted":${shown}}`,
      );
    },
  );
});

describe('presentSystem', () => {
  it.each([
    { runsAs: 'service' as const, shell: 'plain' },
    { runsAs: 'mapped' as const, shell: 'login' },
    { runsAs: 'service' as const, chosen: 'login' as const, shell: 'login' },
    { runsAs: 'mapped' as const, chosen: 'plain' as const, shell: 'plain' },
  ])('says which shell runs commands: $runsAs, $chosen', ({ runsAs, chosen, shell }) => {
    const site = { kind: 'unicore', baseUrl: 'https://unicore.example.org' } as const;
    const connector = { ...site, ...(chosen && { shell: chosen }), setup: ['module load gcc'] };
    const system = { ...findSystem(catalog, 'hpc_one'), runsAs, connector };
    expect(presentSystem(system)).toHaveProperty('environment', {
      shell,
      setup: ['module load gcc'],
    });
  });

  it('says which images jobs may name, and nothing of where they run', () => {
    const system = findSystem(catalog, 'hpc_one');
    const images = ['ghcr.io/org/*'];
    const mounts = [{ path: '/licences' }];
    const containers = { runtime: 'apptainer', images, mounts, cache: '/scratch' } as const;
    expect(presentSystem({ ...system, containers })).toMatchObject({
      payload: { optional: ['title', 'image'] },
      containers: { runtime: 'apptainer', images },
    });
    expect(JSON.stringify(presentSystem({ ...system, containers }))).not.toContain('licences');
    const batch = { runtime: 'batch', images: { 'ghcr.io/org/tool:2': 'tool-2' } } as const;
    expect(presentSystem({ ...system, containers: batch })).toMatchObject({
      containers: { runtime: 'batch', images: ['ghcr.io/org/tool:2'] },
    });
    expect(presentSystem(system)).not.toHaveProperty('containers');
  });

  it('says what cores are, by system and class', () => {
    const connector = {
      kind: 'slurm',
      baseUrl: 'https://slurm.example.org',
      partition: 'batch',
      workDirectory: '/scratch',
    } as const;
    const classes = [{ name: 'normal' }, { name: 'mpi', coresAs: 'choice' }] as const;
    const system = { ...findSystem(catalog, 'hpc_one'), connector };
    expect(presentSystem({ ...system, classes })).toMatchObject({
      payload: { optional: ['title', 'task_number', 'class'] },
      cores_as: 'tasks',
      classes: [{ cores_as: 'tasks' }, { cores_as: 'choice' }],
    });
    expect(presentSystem(system).payload.optional).toEqual(['title']);
    expect(presentSystem(findSystem(catalog, 'hpc_one'))).not.toHaveProperty('cores_as');
  });

  it('tells a client all that a submission needs', () => {
    const { description, ...rest } = presentSystem(findSystem(catalog, 'hpc_two'));
    expect(description).not.toBe('');
    expect(JSON.stringify(rest)).toBe(
      '{"name":"hpc_two","project_hpc":"HPC_TWO",' +
        '"projects":["proj_hpc_two_01","proj_hpc_two_02"],"default_project":"proj_hpc_two_01",' +
        '"payload":{"required":["tool","node_number","core_number","runtime"],' +
        '"optional":["title","init_file","python_option"]},' +
        '"limits":{"node_number":72,"core_number":24,"runtime":0.5},"charging":"node",' +
        '"simulated":true,"live_output":true,"cancel_keeps_output":true,' +
        '"stages":["QUEUE","COMMANDRENDERING","INPUTSTAGING","SUBMITTED","LOAD_RESULTS",' +
        '"COMPLETED","CANCELED","DELETED"],' +
        '"stage_meanings":{"QUEUE":"waiting","COMMANDRENDERING":"starting",' +
        '"INPUTSTAGING":"starting","SUBMITTED":"running","LOAD_RESULTS":"finishing",' +
        '"COMPLETED":"done","CANCELED":"cancelled","DELETED":"deleted"}}',
    );
  });
});

describe('presentProject', () => {
  it('marks the default', () => {
    const two = findSystem(catalog, 'hpc_two');
    expect(two.projects.map((project) => presentProject(two, project))).toEqual([
      {
        id: 2,
        project_hpc: 'HPC_TWO',
        project_name: 'proj_hpc_two_01',
        default: true,
        max_living_jobs: 1000,
      },
      {
        id: 3,
        project_hpc: 'HPC_TWO',
        project_name: 'proj_hpc_two_02',
        default: false,
        max_living_jobs: 1000,
      },
    ]);
  });
});

describe('presentStatus', () => {
  it('is up, per system, and says what runs', () => {
    const report = {
      state: 'up',
      lastContact: undefined,
      breaker: closedBreaker,
      phase: 'closed',
      windows: [],
    } as const;
    const reports = new Map([['hpc_one', report]]);
    const running = { version: '1.2.3+abc1234', now: new Date() };
    expect(presentStatus(catalog.systems, reports, running)).toEqual({
      status: 'up',
      version: '1.2.3+abc1234',
      systems: [
        { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' },
        { name: 'hpc_two', project_hpc: 'HPC_TWO', status: 'unknown' },
      ],
    });
  });
});
