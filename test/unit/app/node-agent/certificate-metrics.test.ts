import { expect } from 'chai';
import { renewalCounts, showLifetime } from '../../../../src/app/node-agent/certificate-metrics.ts';
import { systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { createAgentMetrics } from '../../../../src/nodeagent/api/index.ts';

describe('metrics of certificates', () => {
  const open = () => createAgentMetrics({ nodeName: 'n', dialect: orchDialect, startedAtMs: 0 });
  const linesOf = (text: string): string[] =>
    text.split('\n').filter((line) => /^nodeagent_[a-z_]*(certificate|expiration)[a-z_]* /.test(line));

  it('are not shown of certificates that are not renewed', () => {
    expect(linesOf(open().text())).to.deep.equal([]);
  });

  it('tell of one that is not there yet that it counts for ever', () => {
    const metrics = open();
    const counts = renewalCounts('client', metrics);
    showLifetime('client', { current: () => undefined }, { metrics, clock: systemClock });
    counts.failed();
    counts.replaced(5000);
    expect(linesOf(metrics.text())).to.deep.equal([
      'nodeagent_certificate_manager_client_expiration_renew_errors 1',
      'nodeagent_certificate_manager_client_ttl_seconds +Inf',
    ]);
  });
});
