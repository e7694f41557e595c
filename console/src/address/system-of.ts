/** A system as people write it, and as addresses have it: `hpc_one`. Answers write it in capitals. */
export function systemOf({ project_hpc: hpc }: { readonly project_hpc: string }): string {
  return hpc.toLowerCase();
}
