import { expect } from 'vitest';
import { type LambdaFunction, openFunction } from '../platform/open-function.ts';
import type { DeployedFunction } from './deployed-function.ts';
import { openSurroundings } from './surroundings.ts';
import { openTableGate, type TableGate } from './table-gate.ts';

export interface Prepared {
  readonly runtime: string;
  readonly functions: readonly DeployedFunction[];
}

/** Lambda gives no function more. */
export const longestSeconds = 900;

/** Functions before a table whose calls a test can hold up. */
export async function openScene({ runtime, functions }: Prepared) {
  const surroundings = await openSurroundings();
  const gate: TableGate = await openTableGate(surroundings.dynamoDbEndpoint);
  const opened: LambdaFunction[] = [];
  return {
    table: surroundings.table,
    gate,
    /** With Lambda's longest time, so that how fast this machine is decides nothing. */
    open(name: string): LambdaFunction {
      const found = functions.find((each) => each.name === name) ?? expect.fail(`no ${name}`);
      const deployed = { ...found, seconds: longestSeconds };
      const environment = surroundings.environmentOf(deployed, gate.endpoint);
      const lambda = openFunction(runtime, deployed, environment);
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
