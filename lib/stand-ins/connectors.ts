import { LeftOutError } from './left-out.ts';

/**
 * For the connectors to kinds of HPC systems that the catalog does not name: a bundle is built from
 * the catalog that it runs with.
 */
function refuse(kind: string): never {
  throw new LeftOutError(`The connector to ${kind}`);
}

export const createNsgConnector = () => refuse('NSG');
export const createSlurmConnector = () => refuse('Slurm');
export const createUnicoreConnector = () => refuse('UNICORE');
