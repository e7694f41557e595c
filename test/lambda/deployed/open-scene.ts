import { expect } from 'vitest';
import { type LambdaFunction, openFunction } from '../platform/open-function.ts';
import type { DeployedFunction } from './deployed-function.ts';
import { openSurroundings } from './surroundings.ts';
import { openTableGate, type TableGate } from './table-gate.ts';

export interface Prepared {
  readonly runtime: string;
  readonly functions: readonly DeployedFunction[];
}

/** Functions before a table whose calls a test can hold up. */
export async function openScene({ runtime, functions }: Prepared) {
  const surroundings = await openSurroundings();
  const gate: TableGate = await openTableGate(surroundings.dynamoDbEndpoint);
  const opened: LambdaFunction[] = [];
  return {
    table: surroundings.table,
    gate,
    open(
      name: string,
      facts: Partial<DeployedFunction> = {},
      time: { readonly overtimeSeconds?: number } = {},
    ): LambdaFunction {
      const found = functions.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
      const deployed = { ...found, ...facts };
      const environment = surroundings.environmentOf(deployed, {
        AWS_ENDPOINT_URL_DYNAMODB: gate.endpoint,
      });
      const lambda = openFunction(runtime, deployed, environment, time);
      opened.push(lambda);
      return lambda;
    },
    async close() {
      for (const lambda of opened) await lambda.close();
      await gate.close();
      await surroundings.close();
    },
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
