import { pageNames } from '../../browser/page-names.ts';
import { BulkGrant } from './bulk-grant.tsx';
import { GrantSentence } from './grant-sentence.tsx';

export function GrantsPage() {
  return (
    <>
      <h1>{pageNames.grants()}</h1>
      <GrantSentence />
      <BulkGrant />
    </>
  );
}
