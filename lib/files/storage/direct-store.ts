import type { ObjectStore } from './object-store.ts';

/** What needs no address: everything that the service itself does with its files. */
export type DirectStore = Pick<ObjectStore, 'put' | 'read' | 'measure' | 'remove'>;

let open: ((bucket: string) => DirectStore) | undefined;

/** Undefined where the storage is somewhere else, and is called by its address. */
export function openDirectly(bucket: string): DirectStore | undefined {
  return open?.(bucket);
}

/** For a process that has the storage in itself, before its functions are loaded. */
export function storeInProcess(opened: typeof open): void {
  open = opened;
}
