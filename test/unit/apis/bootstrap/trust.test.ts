import { expect } from 'chai';
import { reconcileBootstrap } from '../../../../src/apis/bootstrap/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { makeAuthority } from '../../../../src/server/pki/index.ts';

const nowMs = Date.UTC(2021, 0, 1);
const minuteMs = 60_000;
const makeCertificate = async (commonName: string, leftMs: number): Promise<string> => {
  const hourMs = 60 * minuteMs;
  const validity = { nowMs: nowMs + leftMs - hourMs, lifetimeMs: hourMs };
  return (await makeAuthority({ commonName, ...validity })).certificatePem;
};
const headers = (names: string[], ca: string) => ({
  'requestheader-allowed-names': JSON.stringify(names),
  'requestheader-client-ca-file': ca,
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-username-headers': '["X-Remote-User"]',
});

describe('what servers of other API groups are told to believe', () => {
  let one: string;
  let other: string;
  let slack: string;
  let expired: string;
  before(async () => {
    [one, other, slack, expired] = await Promise.all([
      makeCertificate('one', 30 * minuteMs),
      makeCertificate('other', 30 * minuteMs),
      makeCertificate('slack', -4 * minuteMs),
      makeCertificate('expired', -6 * minuteMs),
    ]);
  });

  const settle = (stored: object | undefined, own: object) => {
    const mapOf = (data: object) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data });
    const action = reconcileBootstrap(
      stored === undefined ? undefined : mapOf(stored),
      {
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        policy: 'trust',
        object: mapOf(own),
      },
      { dialect: orchDialect, nowMs },
    );
    return action === undefined ? 'nothing' : { [action.kind]: Reflect.get(action.object, 'data') };
  };

  it('is at first what this server believes', () => {
    const own = { 'client-ca-file': one, ...headers(['p'], other) };
    expect(settle(undefined, own)).to.deep.equal({ create: own });
    expect(settle(own, own)).to.equal('nothing');
    expect(settle(undefined, {})).to.deep.equal({ create: {} });
  });

  it('keeps what is stored and adds what is new, each once', () => {
    const stored = { 'client-ca-file': one, ...headers(['p', 'q'], one) };
    const own = { 'client-ca-file': `${other}${one}`, ...headers(['q', 'r'], other) };
    expect(settle(stored, own)).to.deep.equal({
      update: { 'client-ca-file': `${one}${other}`, ...headers(['p', 'q', 'r'], `${one}${other}`) },
    });
    expect(settle(own, {})).to.equal('nothing');
  });

  it('leaves out certificates whose time is over for more than five minutes', () => {
    const stored = { 'client-ca-file': `${expired}${slack}`, ...headers(['p'], expired) };
    expect(settle(stored, { 'client-ca-file': one })).to.deep.equal({
      update: { 'client-ca-file': `${slack}${one}` },
    });
  });

  it('leaves out what cannot be read and what nobody asks for', () => {
    const stored = { 'client-ca-file': 'x', ...headers([], 'y'), 'requestheader-allowed-names': '{', z: 'z' };
    const own = { 'client-ca-file': one, ...headers(['p'], other) };
    expect(settle(stored, own)).to.deep.equal({ update: own });
  });
});
