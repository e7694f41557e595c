import { addressOf } from '../address/address-of.ts';

export function MissingPage() {
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        The address may be old, or of somebody else. <a href={addressOf.home}>Go home</a> or look
        among <a href={addressOf.jobs}>your jobs</a>.
      </p>
    </>
  );
}
