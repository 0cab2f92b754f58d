import { expect } from 'chai';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { servingNames } from '../../../../src/server/pki/index.ts';

const sources = {
  dialect: createDialect('orch'),
  hostName: 'box',
  alsoKnownAs: ['0.0.0.0', 'api.example.org', '10.1.1.1', ''],
  hostAddresses: ['192.0.2.1', '10.1.1.1'],
  firstServiceAddress: '10.0.0.1',
};

describe('servingNames', () => {
  it('joins loopback, the host, further names and the service inside the cluster, each once', () => {
    expect(servingNames(sources)).to.deep.equal({
      dnsNames: [
        'api.example.org',
        'box',
        'localhost',
        'orch',
        'orch.default',
        'orch.default.svc',
        'orch.default.svc.cluster.local',
      ],
      ipAddresses: ['10.0.0.1', '10.1.1.1', '127.0.0.1', '192.0.2.1', '::1'],
    });
  });

  it('spells the service as the dialect does', () => {
    const spelled = createDialect('kubernetes');
    expect(servingNames({ ...sources, dialect: spelled }).dnsNames).to.include(
      `${spelled.spell('orch')}.default.svc`,
    );
  });

  it('leaves out what is no name', () => {
    const { dnsNames } = servingNames({ ...sources, hostName: 'no name', alsoKnownAs: ['a..b', 'a/b'] });
    expect(dnsNames.filter((name) => !name.startsWith('orch'))).to.deep.equal(['localhost']);
  });
});
