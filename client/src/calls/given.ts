type Given<Wish> = { readonly [Name in keyof Wish]?: Exclude<Wish[Name], undefined> };

/** Keeps what is given, because a request names only what it changes. Undefined if that is nothing. */
export function given<Wish extends object>(wish: Wish): Given<Wish> | undefined;
export function given(wish: object): object | undefined {
  const kept = Object.entries(wish).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
