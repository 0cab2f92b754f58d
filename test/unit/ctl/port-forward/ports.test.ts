import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { joinHostPort } from '../../../../src/ctl/listen-error.ts';
import { parseAddresses } from '../../../../src/ctl/port-forward/addresses.ts';
import { parsePortPair } from '../../../../src/ctl/port-forward/ports.ts';
import { resolvePorts } from '../../../../src/ctl/port-forward/resolve-ports.ts';

describe('parsePortPair', () => {
  const good: readonly (readonly [string, number, number])[] = [
    ['80', 80, 80],
    ['8080:80', 8080, 80],
    [':80', 0, 80],
    ['0:80', 0, 80],
  ];
  for (const [text, local, remote] of good) {
    it(`reads ${text}`, () => expect(parsePortPair(text)).to.deep.equal({ local, remote }));
  }

  // The texts are those of the release's client.
  const bad: readonly (readonly [string, string])[] = [
    ['1:2:3', "invalid port format '1:2:3'"],
    ['80:', `error parsing remote port '': strconv.ParseUint: parsing "": invalid syntax`],
    ['x:80', `error parsing local port 'x': strconv.ParseUint: parsing "x": invalid syntax`],
    ['65536', `error parsing local port '65536': strconv.ParseUint: parsing "65536": value out of range`],
    ['80:0', 'remote port must be > 0'],
  ];
  for (const [text, message] of bad) {
    it(`refuses ${text}`, () => expect(() => parsePortPair(text)).to.throw(message));
  }
});

describe('parseAddresses', () => {
  it('reads localhost as both loopback addresses, of which any will do', () => {
    expect(parseAddresses(['localhost'])).to.deep.equal([
      { address: '127.0.0.1', isOptional: true },
      { address: '::1', isOptional: true },
    ]);
  });

  it('needs an address that is named, also when localhost names it too', () => {
    expect(parseAddresses(['localhost', '127.0.0.1', '192.0.2.1'])).to.deep.equal([
      { address: '127.0.0.1', isOptional: false },
      { address: '192.0.2.1', isOptional: false },
      { address: '::1', isOptional: true },
    ]);
  });

  it('refuses names', () => {
    expect(() => parseAddresses(['example.com'])).to.throw('example.com is not a valid IP');
  });
});

describe('joinHostPort', () => {
  it('writes IPv6 in brackets', () => {
    expect([
      joinHostPort({ host: '127.0.0.1', port: 80 }),
      joinHostPort({ host: '::1', port: 80 }),
    ]).to.deep.equal(['127.0.0.1:80', '[::1]:80']);
  });
});

describe('resolvePorts', () => {
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'web' },
    spec: {
      containers: [
        { name: 'a', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] },
        {
          name: 'b',
          ports: [
            { name: 'dns', containerPort: 53, protocol: 'UDP' },
            { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
            { name: 'udp', containerPort: 54, protocol: 'UDP' },
          ],
        },
      ],
    },
  } as unknown as Pod & { kind: string }; // as far as ports go
  const service = (spec: object) => ({
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'svc' },
    spec: {
      ports: [
        { name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' },
        { name: 'plain', port: 81, targetPort: 8081, protocol: 'TCP' },
        { name: 'same', port: 82, protocol: 'TCP' },
        { name: 'udp', port: 83, protocol: 'UDP' },
      ],
      ...spec,
    },
  });
  const object = pod as unknown as Parameters<typeof resolvePorts>[1];

  const ofPod: readonly (readonly [string, string])[] = [
    ['80', '80'],
    ['8000:80', '8000:80'],
    [':80', ':80'],
    ['http', '8080'],
    ['80:http', '80:8080'],
    [':http', ':8080'],
    ['dns', '53'],
  ];
  for (const [typed, expected] of ofPod) {
    it(`reads ${typed} of a pod as ${expected}`, () => {
      expect(resolvePorts([typed], object, pod)).to.deep.equal([expected]);
    });
  }

  const ofService: readonly (readonly [string, string, object?])[] = [
    ['80', '80:8080'],
    ['web', '80:8080'],
    ['9:web', '9:8080'],
    [':81', ':8081'],
    ['8081:81', '8081'],
    ['82', '82'],
    ['80', '80', { clusterIP: 'None' }],
  ];
  for (const [typed, expected, spec = {}] of ofService) {
    it(`reads ${typed} of a service ${JSON.stringify(spec)} as ${expected}`, () => {
      expect(resolvePorts([typed], service(spec), pod)).to.deep.equal([expected]);
    });
  }

  const refused: readonly (readonly [string, boolean, string])[] = [
    ['nope', false, "Pod 'web' does not have a named port 'nope'"],
    ['udp', false, 'UDP protocol is not supported for udp'],
    ['1:54', false, 'UDP protocol is not supported for 54'],
    ['nope', true, "Service 'svc' does not have a named port 'nope'"],
    ['84', true, 'Service svc does not have a service port 84'],
    ['83', true, 'UDP protocol is not supported for 83'],
  ];
  for (const [typed, isService, message] of refused) {
    it(`says: ${message}`, () => {
      expect(() => resolvePorts([typed], isService ? service({}) : object, pod)).to.throw(message);
    });
  }
});
