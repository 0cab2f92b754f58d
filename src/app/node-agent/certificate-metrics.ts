import type { Clock } from '../../base/index.ts';
import type { AgentMetrics } from '../../nodeagent/api/index.ts';
import {
  type CertificateKeeper,
  type RenewalCounts,
  validityOf,
} from '../../nodeagent/certificates/index.ts';

const names = {
  client: {
    failures: 'nodeagent_certificate_manager_client_expiration_renew_errors',
    ttl: 'nodeagent_certificate_manager_client_ttl_seconds',
    ages: undefined,
  },
  serving: {
    failures: 'nodeagent_server_expiration_renew_errors',
    ttl: 'nodeagent_certificate_manager_server_ttl_seconds',
    ages: 'nodeagent_certificate_manager_server_rotation_seconds',
  },
} as const;

/** Counts renewals of a certificate in the agent's metrics, which show them from now on. */
export function renewalCounts(purpose: keyof typeof names, metrics: AgentMetrics): RenewalCounts {
  const { failures, ages } = names[purpose];
  metrics.add(failures, 0);
  return {
    failed: () => metrics.add(failures, 1),
    replaced(ageMs) {
      if (ages !== undefined) metrics.observe(ages, ageMs / 1000);
    },
  };
}

/** Shows in the agent's metrics how long a certificate counts; without one for ever, so that nobody is alarmed. */
export function showLifetime(
  purpose: keyof typeof names,
  keeper: Pick<CertificateKeeper, 'current'>,
  { metrics, clock }: { readonly metrics: AgentMetrics; readonly clock: Clock },
): void {
  metrics.onCollect(() => {
    const pair = keeper.current();
    const leftMs = pair === undefined ? Infinity : validityOf(pair.certificatePem).notAfterMs - clock.nowMs();
    metrics.set(names[purpose].ttl, Math.trunc(leftMs / 1000));
  });
}
