import { term } from '#client/src/words/terms.ts';
import { adminAddress, query, withQuery } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/loading.tsx';
import { RequestsList } from './requests-list.tsx';
import { phrase } from './words.ts';

const states = ['open', 'approved', 'declined', 'withdrawn'] as const;

const none = {
  open: () => phrase('noneOpen'),
  approved: () => phrase('noneApproved'),
  declined: () => phrase('noneDeclined'),
  withdrawn: () => phrase('noneWithdrawn'),
} as const satisfies Record<(typeof states)[number], () => string>;

export function InboxPage() {
  const asked = query.value.get('state');
  const state = states.find((each) => each === asked) ?? 'open';
  return (
    <>
      <h1>{pageNames.requests()}</h1>
      <Chips
        label={phrase('state')}
        values={states}
        current={state}
        addressOf={(each) =>
          withQuery(adminAddress.requests, { state: each === 'open' ? '' : each })
        }
        write={term}
      />
      <h2 class="said">{phrase('oldestFirst')}</h2>
      <RequestsList
        state={state}
        empty={<Empty title={none[state]()}>{phrase('appearHere')}</Empty>}
      />
    </>
  );
}
