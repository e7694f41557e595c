import { query } from '../address/address.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { Waiting } from '../parts/waiting.tsx';
import { beginDraft } from './begin-draft.ts';
import { SubmitForm } from './submit-form.tsx';

export function SubmitPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const again = query.value.get('again') ?? '';
  return (
    <>
      <h1>{again === '' ? 'Submit a job' : 'Run it again'}</h1>
      {catalog ? (
        <SubmitForm
          key={again}
          session={session}
          catalog={catalog}
          begin={beginDraft(query.value, catalog)}
        />
      ) : (
        <Waiting rows={6} />
      )}
    </>
  );
}
