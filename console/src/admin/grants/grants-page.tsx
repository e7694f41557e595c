import { BulkGrant } from './bulk-grant.tsx';
import { GrantSentence } from './grant-sentence.tsx';

export function GrantsPage() {
  return (
    <>
      <h1>Grants</h1>
      <GrantSentence />
      <BulkGrant />
    </>
  );
}
