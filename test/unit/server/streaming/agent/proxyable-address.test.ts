import { expect } from 'chai';
import { isProxyableAddress, resolveProxyable } from '../../../../../src/server/streaming/agent/index.ts';

describe('isProxyableAddress', () => {
  for (const address of ['10.0.0.1', '192.168.0.1', '8.8.8.8', 'fd00::1', '2001:db8::1', '126.255.255.255']) {
    it(`allows ${address}`, () => expect(isProxyableAddress(address)).to.equal(true));
  }
  const refused = [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '239.1.1.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'febf::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    'localhost',
    '',
    '1.2.3',
    '0x7f.1',
  ];
  for (const address of refused) {
    it(`refuses ${JSON.stringify(address)}`, () => expect(isProxyableAddress(address)).to.equal(false));
  }
});

describe('resolveProxyable', () => {
  const failureOf = (host: string): Promise<string> =>
    resolveProxyable(host).then(
      (address) => expect.fail(`resolved to ${address}`),
      (error: Error) => error.message,
    );

  it('gives addresses back', async () => {
    expect(await resolveProxyable('10.0.0.1')).to.equal('10.0.0.1');
    expect(await resolveProxyable('fd00::1')).to.equal('fd00::1');
  });

  it('refuses names of this machine and addresses of its links', async () => {
    expect(await failureOf('localhost')).to.equal('address not allowed');
    expect(await failureOf('fe80::1%eth0')).to.equal('address not allowed');
  });
});
