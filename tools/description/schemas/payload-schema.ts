import type { JsonSchema } from './convert-schema.ts';

const number = (words: string, pattern: string): JsonSchema => ({
  description: words,
  anyOf: [{ type: 'number' }, { type: 'string', pattern }],
});

/**
 * What all systems have in common. The rest is the catalog's, which differs from one deployment to
 * another: `GET /hpc/` lists the fields and limits of each system.
 */
export const payloadSchema: JsonSchema = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'What to run, where the system takes a command.' },
    tool: { type: 'string', description: 'What to run, where the system has tools.' },
    node_number: number('How many nodes.', '^[0-9]{1,15}$'),
    core_number: number('How many cores on each node.', '^[0-9]{1,15}$'),
    runtime: number('Hours.', '^[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$'),
    title: { type: 'string', maxLength: 200, default: '' },
  },
  required: ['node_number', 'core_number', 'runtime'],
  additionalProperties: { type: 'string' },
};
