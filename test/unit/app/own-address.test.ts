import { expect } from 'chai';
import { type AddressFlags, chooseAdvertiseAddress } from '../../../src/app/own-address.ts';
import { routedMachine, routesWithout } from '../../support/routed-machine.ts';

describe('chooseAdvertiseAddress', () => {
  const cases: [what: string, flags: Partial<AddressFlags>, differs: object, expected: string | undefined][] =
    [
      ['the interface of the default route', {}, {}, '192.0.2.2'],
      ['the same for a bind address on the loopback', { bindAddress: '127.0.0.9' }, {}, '192.0.2.2'],
      ['the same for all interfaces', { bindAddress: '0.0.0.0' }, {}, '192.0.2.2'],
      ['IPv6 for all interfaces of IPv6', { bindAddress: '::' }, {}, 'fd00::2'],
      ['IPv6 for the loopback of IPv6', { bindAddress: '::1' }, {}, 'fd00::2'],
      ['the bind address', { bindAddress: '10.88.0.1' }, {}, '10.88.0.1'],
      ['the flag', { advertiseAddress: '203.0.113.7', bindAddress: '10.88.0.1' }, {}, '203.0.113.7'],
      ['no wildcard for an address', { advertiseAddress: '0.0.0.0' }, {}, '192.0.2.2'],
      ['no wildcard of IPv6', { advertiseAddress: '::', bindAddress: '10.88.0.1' }, {}, '10.88.0.1'],
      ['IPv6 where only that has a default route', {}, { routes: routesWithout('IPv4') }, 'fd00::2'],
      ['IPv4 where only that has one', { bindAddress: '::' }, { routes: routesWithout('IPv6') }, '192.0.2.2'],
      ['the first that others could reach, without a default route', {}, { routes: [] }, '10.88.0.1'],
      ['the same of IPv6', { bindAddress: '::' }, { routes: [] }, 'fd01::1'],
      [
        'none on a machine on its own',
        {},
        { routes: [], interfaces: routedMachine.interfaces.slice(0, 2) },
        undefined,
      ],
    ];
  for (const [what, flags, differs, expected] of cases) {
    it(`takes ${what}`, () => {
      const all: AddressFlags = { bindAddress: '127.0.0.1', advertiseAddress: undefined, ...flags };
      expect(chooseAdvertiseAddress(all, { ...routedMachine, ...differs })).to.equal(expected);
    });
  }
});
