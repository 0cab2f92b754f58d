import { expect } from 'chai';
import { upgradeTest } from '../../../../src/server/request/upgrade-test.ts';

describe('upgradeTest', () => {
  const upgrades = upgradeTest((path) => path.startsWith('/apis/remote/v1'));
  const pod = '/api/v1/namespaces/default/pods/p';
  const cases: [isUpgrade: boolean, upgrade: string, url: string, method?: string][] = [
    [true, 'websocket', '/api/v1/pods?watch=1'],
    [true, 'WebSocket', '/api/v1/watch/pods'],
    [true, 'websocket', `${pod}/log`],
    [true, 'SPDY/3.1', `${pod}/exec`, 'POST'],
    [true, 'anything', `${pod}/proxy/x`],
    [true, 'anything', '/apis/remote/v1/things'],
    [false, 'websocket', '/api/v1/pods'],
    [false, 'websocket', pod],
    [false, 'websocket', '/api/v1/namespaces/default/pods', 'POST'],
    [false, 'websocket2', '/api/v1/pods?watch=1'],
    [false, 'h2c', `${pod}/log`],
    [false, 'websocket', '/version'],
    [false, 'websocket', '/%'],
  ];
  for (const [isUpgrade, upgrade, url, method = 'GET'] of cases)
    it(`${isUpgrade ? 'lets' : 'does not let'} ${method} ${url} become ${upgrade}`, () => {
      expect(upgrades({ method, url, headers: { upgrade } })).to.equal(isUpgrade);
    });
});
