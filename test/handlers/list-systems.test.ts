import { describe, expect, it } from 'vitest';
import { handler } from '#functions/catalog/list-systems.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, invalidRequest, pathNotFound, readResponse } from '../fixtures/responses.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';

const table = mockTable();

describe('GET /hpc/', () => {
  it.each(['/hpc/', '/hpc'])('answers 200 at %s with what each system takes', async (path) => {
    const response = await call(handler, { path, headers: asUser() });
    expect(readResponse(response)).toEqual(
      answer(200, [
        {
          name: 'hpc_one',
          project_hpc: 'HPC_ONE',
          description: expect.any(String),
          projects: ['proj_hpc_one_01'],
          default_project: 'proj_hpc_one_01',
          payload: {
            required: ['command', 'node_number', 'core_number', 'runtime'],
            optional: ['title'],
          },
          limits: { node_number: 512, core_number: 64, runtime: 24 },
          charging: 'node',
          simulated: true,
          live_output: true,
          cancel_keeps_output: true,
          stages: [
            'READY',
            'STAGINGIN',
            'QUEUED',
            'RUNNING',
            'STAGINGOUT',
            'SUCCESSFUL',
            'FAILED',
            'CANCELED',
            'DELETED',
          ],
          stage_meanings: {
            READY: 'waiting',
            STAGINGIN: 'waiting',
            QUEUED: 'waiting',
            RUNNING: 'running',
            STAGINGOUT: 'finishing',
            SUCCESSFUL: 'done',
            FAILED: 'failed',
            CANCELED: 'cancelled',
            DELETED: 'deleted',
          },
        },
        {
          name: 'hpc_two',
          project_hpc: 'HPC_TWO',
          description: expect.any(String),
          projects: ['proj_hpc_two_01', 'proj_hpc_two_02'],
          default_project: 'proj_hpc_two_01',
          payload: {
            required: ['tool', 'node_number', 'core_number', 'runtime'],
            optional: ['title', 'init_file', 'python_option'],
          },
          limits: { node_number: 72, core_number: 24, runtime: 0.5 },
          charging: 'node',
          simulated: true,
          live_output: true,
          cancel_keeps_output: true,
          stages: [
            'QUEUE',
            'COMMANDRENDERING',
            'INPUTSTAGING',
            'SUBMITTED',
            'LOAD_RESULTS',
            'COMPLETED',
            'CANCELED',
            'DELETED',
          ],
          stage_meanings: {
            QUEUE: 'waiting',
            COMMANDRENDERING: 'starting',
            INPUTSTAGING: 'starting',
            SUBMITTED: 'running',
            LOAD_RESULTS: 'finishing',
            COMPLETED: 'done',
            CANCELED: 'cancelled',
            DELETED: 'deleted',
          },
        },
      ]),
    );
    expect(response.body).toContain('"runtime":24.0}');
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 404 below it', async () => {
    const response = await call(handler, { path: '/hpc/hpc_one/', headers: asUser() });
    expect(readResponse(response)).toEqual(pathNotFound);
  });

  it('answers 400 to any parameter', async () => {
    const response = await call(handler, { path: '/hpc/', query: 'a=1', headers: asUser() });
    expect(readResponse(response)).toEqual(
      invalidRequest([{ location: 'query', name: 'a', message: 'This path takes no parameters.' }]),
    );
  });
});
