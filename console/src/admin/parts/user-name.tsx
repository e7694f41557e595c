interface UserNameProps {
  readonly name: string | null | undefined;
}

/** Shows what a user is called, after their number. The element keeps names that run leftwards apart. */
export function UserName({ name }: UserNameProps) {
  if (!name) return null;
  return (
    <>
      {' '}
      <bdi class="quiet">{name}</bdi>
    </>
  );
}
