import { expect } from 'chai';
import { chooseAggregated } from '../../../../src/server/discovery/respond-aggregated.ts';

const group = 'apidiscovery.orch.io';
const of = (version: string, type = 'application/json', more = '') =>
  `${type};g=${group};v=${version};as=APIGroupDiscoveryList${more}`;

describe('chooseAggregated', () => {
  const cases: [accept: string | undefined, version: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['application/json', undefined],
    ['*/*', undefined],
    [of('v2'), 'v2'],
    [of('v2beta1'), 'v2beta1'],
    ['application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.orch.io', 'v2'],
    ['application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.orch.io', 'v2'],
    // What clients send: the newest first, plain discovery last.
    [`${of('v2')},${of('v2beta1')},application/json`, 'v2'],
    [`${of('v3')},${of('v2beta1')},application/json`, 'v2beta1'],
    [`${of('v1')},${of('v3')},application/json`, undefined],
    [of('v1'), undefined],
    // Qualities count before places.
    [`application/json;q=0.5,${of('v2', undefined, ';q=0.9')}`, 'v2'],
    [`application/json,${of('v2', undefined, ';q=0.9')}`, undefined],
    [`${of('v2', undefined, ';q=0.8')},${of('v2beta1')}`, 'v2beta1'],
    [`application/json,${of('v2')}`, undefined],
    // Plain discovery in another encoding comes first.
    [`application/vnd.orch.protobuf,${of('v2')}`, undefined],
    // Encodings in which there is none are passed over.
    [`${of('v2', 'application/vnd.orch.protobuf')},${of('v2beta1')}`, 'v2beta1'],
    [of('v2', 'application/yaml'), undefined],
    [of('v2', 'application/*'), 'v2'],
    [of('v2', '*/*'), 'v2'],
    [of('v2', undefined, ';stream=watch'), 'v2'],
    [of('v2', undefined, ';sv=v1'), undefined],
    // Names of others.
    ['application/json;g=apidiscovery.example.com;v=v2;as=APIGroupDiscoveryList', undefined],
    ['application/json;g=meta.orch.io;v=v1;as=Table', undefined],
    ['application/json;v=v2;as=APIGroupDiscoveryList', undefined],
    [';;=,APIGroupDiscoveryList', undefined],
  ];
  for (const [accept, version] of cases) {
    it(`${accept} is ${version ?? 'plain'}`, () => {
      expect(chooseAggregated(accept, group)?.version).to.equal(version);
    });
  }
});
