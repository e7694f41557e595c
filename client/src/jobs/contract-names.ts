/**
 * Fields that the contract, and what was named after it, spells in another way than all else does.
 * A payload may have either. Answers have the contract's.
 */
export const contractNames: Readonly<Record<string, string>> = {
  node_number: 'nodes',
  core_number: 'cores',
  task_number: 'tasks',
  gpu_number: 'gpus',
};
