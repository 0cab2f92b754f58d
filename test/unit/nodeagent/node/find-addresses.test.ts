import { expect } from 'chai';
import {
  type AddressInputs,
  chooseAddress,
  statusAddresses,
} from '../../../../src/nodeagent/node/find-addresses.ts';
import { routedMachine, routesWithout } from '../../../support/routed-machine.ts';

const inputs: AddressInputs = { nodeIp: undefined, hostname: 'n', resolved: [], ...routedMachine };

describe('chooseAddress', () => {
  const chosen: [what: string, differs: Partial<AddressInputs>, address: string][] = [
    ['the interface of the default route', {}, '192.0.2.2'],
    ['the given address', { nodeIp: '10.88.0.1' }, '10.88.0.1'],
    ['the given address in another spelling', { nodeIp: 'fd00:0:0::2' }, 'fd00:0:0::2'],
    ['any of the first family', { nodeIp: '0.0.0.0', resolved: ['fd00::2'] }, '192.0.2.2'],
    ['any of the second family', { nodeIp: '::', resolved: ['192.0.2.2'] }, 'fd00::2'],
    ['what the name stands for', { resolved: ['203.0.113.9', '10.88.0.1'] }, '10.88.0.1'],
    ['not the loopback that the name stands for', { resolved: ['127.0.1.1'] }, '192.0.2.2'],
    ['the other family of the name where there is no better', { resolved: ['fd00::2'] }, 'fd00::2'],
    ['the name itself when it is an address', { hostname: '198.51.100.7' }, '198.51.100.7'],
    ['the family that there is a route for', { routes: routesWithout('IPv4') }, 'fd00::2'],
  ];
  for (const [what, differs, address] of chosen) {
    it(`takes ${what}`, () => {
      expect(chooseAddress({ ...inputs, ...differs })).to.deep.equal({ address });
    });
  }

  const refused: [nodeIp: string, problem: string][] = [
    ['192.0.2.99', `node IP: "192.0.2.99" not found in the host's network interfaces`],
    ['127.0.0.1', "nodeIP can't be loopback address"],
    ['::1', "nodeIP can't be loopback address"],
    ['224.0.0.1', "nodeIP can't be a multicast address"],
    ['ff02::1', "nodeIP can't be a multicast address"],
    ['169.254.1.1', "nodeIP can't be a link-local unicast address"],
    ['fe80::1', "nodeIP can't be a link-local unicast address"],
  ];
  for (const [nodeIp, problem] of refused) {
    it(`refuses ${nodeIp}`, () => {
      expect(chooseAddress({ ...inputs, nodeIp })).to.deep.equal({
        problem: `failed to validate nodeIP: ${problem}`,
      });
    });
  }

  it('has none without a route', () => {
    expect(chooseAddress({ ...inputs, routes: [] })).to.have.property('problem');
  });
});

describe('statusAddresses', () => {
  const shown = [{ type: 'ExternalIP', address: '198.51.100.1' }];
  const found = [{ type: 'InternalIP', address: '192.0.2.2' }];

  it('are those that an external cloud has given', () => {
    expect(statusAddresses({ cloudProvider: 'external' }, { shown, found })).to.equal(shown);
  });

  it('are those that the agent has found otherwise', () => {
    expect(statusAddresses({ cloudProvider: '' }, { shown, found })).to.equal(found);
    expect(statusAddresses({ cloudProvider: 'external' }, { shown: undefined, found })).to.equal(found);
  });
});
