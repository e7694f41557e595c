/** Which jobs are marked, and which was the last one: a range begins there. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

export const nothingMarked: Selection = { ids: new Set(), last: undefined };

export function toggleMark({ ids }: Selection, id: string): Selection {
  const marked = new Set(ids);
  if (!marked.delete(id)) marked.add(id);
  return { ids: marked, last: id };
}

/** From the last one to this one, in the order of the list; all of them get what the last one has. */
export function markRange(
  selection: Selection,
  listed: readonly { readonly job_id: string }[],
  id: string,
): Selection {
  const { ids, last } = selection;
  const ends = [last, id].map((end) => listed.findIndex(({ job_id: each }) => each === end));
  const [first, final] = [Math.min(...ends), Math.max(...ends)];
  if (last === undefined || first < 0) return toggleMark(selection, id);
  const marked = new Set(ids);
  for (const { job_id: each } of listed.slice(first, final + 1)) {
    if (ids.has(last)) marked.add(each);
    else marked.delete(each);
  }
  return { ids: marked, last: id };
}
