import type { Delivery } from '#client/src/index.ts';
import { Empty } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';

export function DeliveriesTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing was sent yet.">
        What is sent to it, and what the receiver answers, stands here for thirty days.
      </Empty>
    );
  }
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th>When</th>
            <th>State</th>
            <th class="number">Tries</th>
            <th>Last answer</th>
            <th>Next try</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => {
            const last = delivery.tries.at(-1);
            return (
              <tr key={delivery.event_id}>
                <td>{delivery.type}</td>
                <td>
                  <Moment at={delivery.at} />
                </td>
                <td>
                  <span class={`state ${delivery.state}`}>{delivery.state}</span>
                </td>
                <td class="number">{delivery.tries.length}</td>
                <td>{last && `${last.status ?? last.reason ?? ''} in ${last.ms} ms`}</td>
                <td>{delivery.next_try !== null && <Moment at={delivery.next_try} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
