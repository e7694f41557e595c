import { describe, expect, it } from 'vitest';
import { handler } from '#functions/catalog/list-systems.ts';
import { ask, asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, invalidPart, pathNotFound, readResponse } from '../fixtures/responses.ts';

const table = useTable();

const ofOne = {
  READY: 'waiting',
  STAGINGIN: 'waiting',
  QUEUED: 'waiting',
  RUNNING: 'running',
  STAGINGOUT: 'finishing',
  SUCCESSFUL: 'done',
  FAILED: 'failed',
  CANCELED: 'cancelled',
  DELETED: 'deleted',
};
const ofTwo = {
  QUEUE: 'waiting',
  COMMANDRENDERING: 'starting',
  INPUTSTAGING: 'starting',
  SUBMITTED: 'running',
  LOAD_RESULTS: 'finishing',
  COMPLETED: 'done',
  CANCELED: 'cancelled',
  DELETED: 'deleted',
};
const shared = {
  description: expect.any(String),
  charging: 'node',
  simulated: true,
  live_output: true,
  cancel_keeps_output: true,
};

describe('GET /hpc/', () => {
  it.each(['/hpc/', '/hpc'])('answers 200 at %s with what each system takes', async (path) => {
    const response = await call(handler, { path, headers: asUser() });
    expect(readResponse(response)).toEqual(
      answer(200, [
        {
          name: 'hpc_one',
          project_hpc: 'HPC_ONE',
          ...shared,
          projects: ['proj_hpc_one_01'],
          default_project: 'proj_hpc_one_01',
          payload: {
            required: ['command', 'node_number', 'core_number', 'runtime'],
            optional: ['title'],
          },
          limits: { node_number: 512, core_number: 64, runtime: 24 },
          stages: Object.keys(ofOne),
          stage_meanings: ofOne,
        },
        {
          name: 'hpc_two',
          project_hpc: 'HPC_TWO',
          ...shared,
          projects: ['proj_hpc_two_01', 'proj_hpc_two_02'],
          default_project: 'proj_hpc_two_01',
          payload: {
            required: ['tool', 'node_number', 'core_number', 'runtime'],
            optional: ['title', 'init_file', 'python_option'],
          },
          limits: { node_number: 72, core_number: 24, runtime: 0.5 },
          stages: Object.keys(ofTwo),
          stage_meanings: ofTwo,
        },
      ]),
    );
    expect(response.body).toContain('"runtime":24.0}');
    expect(table.sent()).toEqual(['BatchGetItem']);
  });

  it('answers 404 below it, and 400 to any parameter', async () => {
    const get = (path: string, query = '') => ask(handler, { path, query, headers: asUser() });
    expect(await get('/hpc/hpc_one/')).toEqual(pathNotFound);
    expect(await get('/hpc/', 'a=1')).toEqual(
      invalidPart('query', 'a', 'This path takes no parameters.'),
    );
  });
});
