import { adminAddress, query, withQuery } from '../../browser/address.ts';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/loading.tsx';
import { RequestsList } from './requests-list.tsx';

const states = ['open', 'approved', 'declined', 'withdrawn'] as const;

export function InboxPage() {
  const asked = query.value.get('state');
  const state = states.find((each) => each === asked) ?? 'open';
  return (
    <>
      <h1>Requests</h1>
      <Chips
        label="State"
        values={states}
        current={state}
        addressOf={(each) =>
          withQuery(adminAddress.requests, { state: each === 'open' ? '' : each })
        }
      />
      <h2 class="said">Oldest first</h2>
      <RequestsList
        state={state}
        empty={
          <Empty title={`No ${state} requests.`}>
            When somebody asks for more quota, the request appears here with its reason.
          </Empty>
        }
      />
    </>
  );
}
