import { expect } from 'chai';
import { servingSubject } from '../../../../src/nodeagent/certificates/open-keepers.ts';

describe('servingSubject', () => {
  it('has every name and address once, in order', () => {
    const subject = servingSubject('n', [
      { type: 'InternalIP', address: '192.0.2.9' },
      { type: 'ExternalIP', address: '192.0.2.10' },
      { type: 'InternalIP', address: '192.0.2.9' },
      { type: 'Hostname', address: 'n' },
      { type: 'InternalDNS', address: 'n' },
      { type: 'ExternalDNS', address: 'a.example' },
      { type: 'Other', address: 'what' },
    ]);
    expect(subject).to.deep.equal({
      commonName: 'system:node:n',
      organizations: ['system:nodes'],
      dnsNames: ['a.example', 'n'],
      ipAddresses: ['192.0.2.10', '192.0.2.9'],
    });
  });

  it('is nothing to ask for without names and addresses', () => {
    expect(servingSubject('n', [])).to.equal(undefined);
  });
});
