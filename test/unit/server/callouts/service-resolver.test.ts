import { expect } from 'chai';
import { createServiceResolver } from '../../../../src/server/callouts/index.ts';

const services: Readonly<Record<string, object>> = {
  'a/plain': { type: 'ClusterIP', clusterIP: '10.0.0.7', ports: [{ port: 8443 }] },
  'a/balanced': { type: 'LoadBalancer', clusterIP: '10.0.0.8', ports: [{ port: 443 }] },
  'a/headless': { type: 'ClusterIP', clusterIP: 'None', ports: [{ port: 443 }] },
  'a/away': { type: 'ExternalName', externalName: 'hooks.example.com' },
};
const resolve = createServiceResolver({
  findService(namespace, name) {
    const spec = services[`${namespace}/${name}`];
    return spec === undefined ? undefined : ({ metadata: { name, namespace }, spec } as never);
  },
  own: { namespace: 'default', name: 'orch', locate: () => ({ host: '127.0.0.1', port: 6443 }) },
});

describe('services that webhooks are behind', () => {
  const found = [
    ['a', 'plain', 8443, '10.0.0.7:8443'],
    ['a', 'balanced', 443, '10.0.0.8:443'],
    ['a', 'away', 1234, 'hooks.example.com:1234'],
    ['default', 'orch', 443, '127.0.0.1:6443'],
  ] as const;
  for (const [namespace, name, port, place] of found) {
    it(`lead from ${namespace}/${name}:${port} to ${place}`, () => {
      const target = resolve({ namespace, name, port });
      expect(`${target.host}:${target.port}`).to.equal(place);
    });
  }

  const refused = [
    ['a', 'none', 443, 'service "none" not found'],
    ['a', 'headless', 443, 'cannot route to service with ClusterIP "None"'],
    ['a', 'plain', 443, 'no service port 443 found for service "plain"'],
    ['default', 'orch', 8443, 'service "orch" not found'],
  ] as const;
  for (const [namespace, name, port, message] of refused) {
    it(`say of ${namespace}/${name}:${port}: ${message}`, () => {
      expect(() => resolve({ namespace, name, port })).to.throw(message);
    });
  }
});
