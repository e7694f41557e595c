import { BulkGrant } from './bulk-grant.tsx';
import { GrantSentence } from './grant-sentence.tsx';
import { phrase } from './words.ts';

export function GrantsPage() {
  return (
    <>
      <h1>{phrase('grants')}</h1>
      <GrantSentence />
      <BulkGrant />
    </>
  );
}
