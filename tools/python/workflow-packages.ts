/** The folders of the packages for workflow tools, in python/. A module is called as its package. */
export const workflowPackages = [
  'snakemake-executor-plugin-slipway',
  'slipway-parsl',
  'slipway-nextflow',
] as const;
