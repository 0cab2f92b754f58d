import { expect } from 'chai';
import { describe, it } from 'mocha';
import { chooseVersion, compareVersions } from '../../../../src/nodeagent/legacyrt/engine-connection.ts';
import { parseEngineEndpoint } from '../../../../src/nodeagent/legacyrt/engine-endpoint.ts';
import { engineFailure, readFailureMessage } from '../../../../src/nodeagent/legacyrt/engine-failure.ts';

describe('parseEngineEndpoint', () => {
  const good = {
    'unix:///var/run/e.sock': { socketPath: '/var/run/e.sock' },
    'tcp://127.0.0.1:2375': { host: '127.0.0.1', port: 2375 },
    'tcp://[::1]:2375': { host: '::1', port: 2375 },
  };
  for (const [endpoint, address] of Object.entries(good)) {
    it(`reads ${endpoint}`, () => expect(parseEngineEndpoint(endpoint)).to.deep.equal(address));
  }
  const bad = [
    '',
    '/run/e.sock',
    'unix://',
    'unix://e.sock',
    'unix:///a/',
    'tcp://host',
    'tcp://h:1/x',
    'npipe://x',
  ];
  for (const endpoint of [...bad, `unix:///${'x'.repeat(200)}`]) {
    it(`refuses "${endpoint.slice(0, 30)}"`, () =>
      expect(() => parseEngineEndpoint(endpoint)).to.throw(RangeError));
  }
});

describe('chooseVersion', () => {
  it('takes the newest that both sides speak', () => {
    expect(chooseVersion('1.41', '1.12')).to.equal('1.41');
    expect(chooseVersion('1.99', '1.44')).to.equal('1.47');
    expect(compareVersions('1.9', '1.10')).to.be.lessThan(0);
  });

  it('refuses engines of another age, and what is none', () => {
    for (const [most, least] of [
      ['1.18', '1.12'],
      ['1.60', '1.50'],
      ['', ''],
    ] as const) {
      expect(() => chooseVersion(most, least))
        .to.throw()
        .with.property('code', 'unsupported');
    }
  });
});

describe('engineFailure', () => {
  const cases = [
    [404, 'No such container: x', 'not-found'],
    [409, 'Conflict. The container name "/a" is already in use by container "b".', 'already-exists'],
    [409, 'Container x is not running', 'failed'],
    [400, 'bad parameter', 'invalid'],
    [500, '', 'failed'],
  ] as const;
  for (const [status, message, code] of cases) {
    it(`is ${code} for ${status} ${message}`, () => {
      const failure = engineFailure('StopContainer', status, message);
      expect(failure.code).to.equal(code);
      expect(failure.message).to.equal(`StopContainer: ${failure.detail}`);
      expect(failure.detail).to.equal(`Error response from daemon: ${message || 'status 500'}`);
    });
  }

  it('takes its text from JSON or as it is', () => {
    expect(readFailureMessage('{"message":"no"}')).to.equal('no');
    expect(readFailureMessage(' plain\n')).to.equal('plain');
    expect(readFailureMessage('{"other":1}')).to.equal('{"other":1}');
  });
});
