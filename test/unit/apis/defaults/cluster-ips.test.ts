import { expect } from 'chai';
import { normalizeClusterIps } from '../../../../src/apis/defaults/index.ts';
import type { Service, ServiceSpec } from '../../../../src/apis/types/core-v1.ts';

const service = (clusterIP?: string, clusterIPs?: string[]): Service => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: {},
  spec: {
    ...(clusterIP === undefined ? {} : { clusterIP }),
    ...(clusterIPs === undefined ? {} : { clusterIPs }),
  },
  status: { loadBalancer: {} },
});

function normalized(given: Service, old?: Service): ServiceSpec {
  normalizeClusterIps(given, old);
  return given.spec;
}

describe('normalizeClusterIps', () => {
  it('fills the list from the single address of a new service', () => {
    expect(normalized(service('10.0.0.1')).clusterIPs).to.deep.equal(['10.0.0.1']);
  });

  it('leaves a new service without addresses, or with both forms, alone', () => {
    expect(normalized(service())).to.deep.equal({});
    expect(normalized(service('10.0.0.1', ['10.0.0.2'])).clusterIPs).to.deep.equal(['10.0.0.2']);
  });

  it('keeps the list for a client that does not know it', () => {
    const old = service('10.0.0.1', ['10.0.0.1']);
    expect(normalized(service('10.0.0.1'), old).clusterIPs).to.deep.equal(['10.0.0.1']);
  });

  it('clears the list with the single address', () => {
    const old = service('10.0.0.1', ['10.0.0.1']);
    expect(normalized(service('', ['10.0.0.1']), old)).not.to.have.property('clusterIPs');
  });

  it('follows a changed single address', () => {
    const old = service('10.0.0.1', ['10.0.0.1']);
    expect(normalized(service('10.0.0.9', ['10.0.0.1']), old).clusterIPs).to.deep.equal(['10.0.0.9']);
  });

  it('leaves contradictions to validation', () => {
    const old = service('10.0.0.1', ['10.0.0.1']);
    expect(normalized(service('10.0.0.9', ['10.0.0.8']), old).clusterIPs).to.deep.equal(['10.0.0.8']);
  });
});
