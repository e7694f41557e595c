import type { DetectedEvent } from '#lib/events/detected-event.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { presentBatch } from './present-batch.ts';
import { presentJob } from './present-job.ts';
import { presentWindow } from './present-maintenance.ts';
import { presentAmount, presentQuota } from './present-quota.ts';
import { presentRequest } from './present-request.ts';
import { float, timestamp } from './values.ts';

/** Presents the job or quota as the interface does, with the fields of the event (docs/events.md). */
export function presentEvent(event: DetectedEvent): SlipwayEvent {
  const { id, type, owner, at } = event;
  return { id, type, ...(owner !== undefined && { owner }), at, data: presentData(event) };
}

function presentData(event: DetectedEvent): SlipwayEvent['data'] {
  switch (event.type) {
    case 'job.submitted':
    case 'job.ended':
      return presentJob(event.job);
    case 'job.stage-changed':
      return { ...presentJob(event.job), previous_stage: event.previousStage };
    case 'system.maintenance-announced':
    case 'system.maintenance-changed':
    case 'system.maintenance-ended':
      return {
        hpc: event.hpc,
        project_hpc: event.hpc.toUpperCase(),
        ...presentWindow(event.window),
      };
    case 'batch.progress':
    case 'batch.ended':
      return presentBatch(event.batch);
    case 'quota.low':
      return {
        ...presentQuota(event.quota),
        resource: event.resource,
        threshold_percent: event.thresholdPercent,
        granted: event.resource === 'space' ? float(event.granted) : event.granted,
      };
    case 'quota.expiring':
      return {
        ...presentQuota(event.quota),
        valid_until: timestamp(event.validUntil),
        days_left: event.daysLeft,
      };
    case 'quota.renewing': {
      const { lapsed, carriedOver, left } = event.amounts;
      return {
        ...presentQuota(event.quota),
        renews_at: timestamp(event.renewsAt),
        lapses: presentAmount(lapsed),
        carries_over: presentAmount(carriedOver),
        becomes: presentAmount(left),
      };
    }
    case 'quota.renewed': {
      const { lapsed, carriedOver, granted } = event.amounts;
      return {
        ...presentQuota(event.quota),
        renewed_at: timestamp(event.renewedAt),
        lapsed: presentAmount(lapsed),
        carried_over: presentAmount(carriedOver),
        granted: presentAmount(granted),
        next: timestamp(event.next),
      };
    }
    case 'request.opened':
    case 'request.approved':
    case 'request.declined':
      return presentRequest(event.request);
    case 'project.opened':
    case 'project.closed': {
      const { description, shared = false, members } = event.project;
      return { ...presentPlace(event.project), description, shared, members: members ?? null };
    }
    case 'budget.changed': {
      const { project, time, space, validUntil } = event.budget;
      const granted = { seconds: time.granted, kilobytes: space.granted };
      return {
        ...presentPlace(project),
        ...presentAmount(granted),
        valid_until: validUntil ? timestamp(validUntil) : null,
      };
    }
    case 'member.joined': {
      const { user, project, throughGroup = false } = event.quota;
      return { ...presentPlace(project), user, through_group: throughGroup };
    }
    case 'member.left': {
      const { user, hpc, project } = event.account;
      const { by, reason } = event;
      return { project_hpc: hpc.toUpperCase(), project_name: project, user, by, reason };
    }
    case 'account.mapped': {
      const { user, hpc, name: account } = event.login;
      return { user, hpc, account, previous_account: event.before ?? null };
    }
  }
}

function presentPlace({ number, hpc, name }: Quota['project']) {
  return { project: number, project_hpc: hpc.toUpperCase(), project_name: name };
}
