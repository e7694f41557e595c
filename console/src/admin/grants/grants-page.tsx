import type { Session } from '../../connection/session.ts';
import { BulkGrant } from './bulk/bulk-grant.tsx';
import { GrantSentence } from './sentence/grant-sentence.tsx';

export function GrantsPage({ session }: { readonly session: Session }) {
  return (
    <>
      <h1>Grants</h1>
      <GrantSentence session={session} />
      <BulkGrant session={session} />
    </>
  );
}
