import { expect } from 'chai';
import { layerServeConfig } from '../../../../src/config/serve/index.ts';

describe('options of the way to node agents', () => {
  it('are those of the reference without any flag', () => {
    const { config } = layerServeConfig({ argv: [] });
    expect(config.nodeagentTimeoutMs).to.equal(5000);
    expect(config.nodeagentPort).to.equal(10_250);
    expect(config.nodeagentPreferredAddressTypes).to.deep.equal([
      'Hostname',
      'InternalDNS',
      'InternalIP',
      'ExternalDNS',
      'ExternalIP',
    ]);
    expect(config.nodeagentCertificateAuthority).to.equal(undefined);
  });

  it('need a certificate and its key together', () => {
    expect(() => layerServeConfig({ argv: ['--nodeagent-client-key=k'] })).to.throw(
      '--nodeagent-client-certificate and --nodeagent-client-key must be given together',
    );
  });

  it('warn of the port, which nodes name', () => {
    const { config, warnings } = layerServeConfig({ argv: ['--nodeagent-port=10260'] });
    expect(config.nodeagentPort).to.equal(10_260);
    expect(warnings.join()).to.contain('nodeagent-port');
  });
});
