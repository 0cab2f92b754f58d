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

describe('services that are gone past', () => {
  const ready = (...ips: string[]) => ({
    addresses: ips.map((ip) => ({ ip })),
    ports: [
      { name: 'other', port: 1 },
      { name: 'api', port: 9443 },
    ],
  });
  const endpoints: Readonly<Record<string, object>> = {
    'a/plain': { subsets: [{ addresses: [{ ip: '10.1.0.9' }], ports: [{ port: 9443 }] }] },
    'a/headless': { subsets: [{ notReadyAddresses: [{ ip: '10.1.0.8' }], ports: [{ port: 9443 }] }] },
    'a/named': { subsets: [{ ports: [{ name: 'api', port: 1 }] }, ready('10.1.0.1', '10.1.0.2')] },
  };
  const named = { type: 'ClusterIP', ports: [{ name: 'api', port: 443 }] };
  let chance = 0;
  const route = createServiceResolver({
    findService(namespace, name) {
      const spec = name === 'named' ? named : services[`${namespace}/${name}`];
      return spec === undefined ? undefined : ({ metadata: { name, namespace }, spec } as never);
    },
    routing: {
      findEndpoints: (namespace, name) => endpoints[`${namespace}/${name}`] as never,
      random: () => chance,
    },
    own: { namespace: 'default', name: 'orch', locate: () => ({ host: '127.0.0.1', port: 6443 }) },
  });

  it('lead to each of the ready addresses by chance, at the port of the name', () => {
    const places = [0, 0.49, 0.5, 0.99].map((value) => {
      chance = value;
      const { host, port } = route({ namespace: 'a', name: 'named', port: 443 });
      return `${host}:${port}`;
    });
    expect(places).to.deep.equal(['10.1.0.1:9443', '10.1.0.1:9443', '10.1.0.2:9443', '10.1.0.2:9443']);
  });

  const refused = [
    ['none', 443, 'service "none" not found'],
    ['plain', 443, 'no service port 443 found for service "plain"'],
    ['balanced', 443, 'endpoints "balanced" not found'],
    ['headless', 443, 'no endpoints available for service "headless"'],
  ] as const;
  for (const [name, port, message] of refused) {
    it(`say of ${name}:${port}: ${message}`, () => {
      expect(() => route({ namespace: 'a', name, port })).to.throw(message);
    });
  }

  it('are not those of another name', () => {
    expect(() => route({ namespace: 'a', name: 'away', port: 443 })).to.throw();
  });
});
