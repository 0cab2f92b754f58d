import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { parsePorts, parseStreamOptions } from '../../../../src/nodeagent/api/handlers/streams.ts';
import {
  fromRuntimeHeaders,
  toRuntimeHeaders,
} from '../../../../src/nodeagent/api/streams/protocol-names.ts';

const other = createDialect('kubernetes');
const dialects = { client: orchDialect, runtime: other };
const same = { client: other, runtime: other };
const runtimeName = other.spell('v4.channel.orch.io');

describe('headers between clients and the streaming server', () => {
  it('name protocols as the other side knows them', () => {
    const asked = ['X-Stream-Protocol-Version', 'v4.channel.orch.io', 'Upgrade', 'SPDY/3.1'];
    const sent = ['X-Stream-Protocol-Version', runtimeName, 'Upgrade', 'SPDY/3.1'];
    expect(toRuntimeHeaders(asked, dialects)).to.deep.equal(sent);
    expect(fromRuntimeHeaders(sent, dialects)).to.deep.equal(asked);
    expect(toRuntimeHeaders(sent, same)).to.deep.equal(sent);
    expect(fromRuntimeHeaders(sent, same)).to.deep.equal(sent);
  });

  it('translate each of several names', () => {
    const headers = ['Sec-WebSocket-Protocol', 'v4.channel.orch.io, base64.channel.orch.io,x'];
    expect(toRuntimeHeaders(headers, dialects)).to.deep.equal([
      'Sec-WebSocket-Protocol',
      `${runtimeName}, ${other.spell('base64.channel.orch.io')}, x`,
    ]);
  });

  it('keep what the client is known by from the runtime', () => {
    const headers = ['Authorization', 'Bearer t', 'cookie', 'c', 'Host', 'h', 'Connection', 'Upgrade'];
    expect(toRuntimeHeaders(headers, dialects)).to.deep.equal(['Connection', 'Upgrade']);
  });

  it('leave an empty choice of a protocol out', () => {
    const headers = ['Upgrade', 'websocket', 'Sec-Websocket-Protocol', ''];
    expect(fromRuntimeHeaders(headers, dialects)).to.deep.equal(['Upgrade', 'websocket']);
  });
});

describe('parseStreamOptions', () => {
  const cases: readonly (readonly [query: string, streams: string | undefined])[] = [
    ['output=1', 'stdout'],
    ['input=1&output=1&error=1', 'stdin stdout stderr'],
    ['tty=1&output=1&error=1', 'tty stdout'],
    ['tty=1&error=1', undefined],
    ['output=true', undefined],
    ['', undefined],
  ];
  for (const [query, streams] of cases) {
    it(`finds ${streams ?? 'nothing'} in "${query}"`, () => {
      const options = parseStreamOptions(new URLSearchParams(query));
      const names =
        options &&
        Object.entries(options)
          .filter(([, isOn]) => isOn)
          .map(([name]) => name);
      expect(names?.join(' ')).to.equal(streams);
    });
  }
});

describe('parsePorts', () => {
  it('takes one or several', () => {
    expect(parsePorts(new URLSearchParams('port=80&port=443,8080'))).to.deep.equal([80, 443, 8080]);
  });

  const refused = [
    ['', 'query parameter "port" is required'],
    ['port=', 'query parameter "port" cannot be empty'],
    ['port=x', 'unable to parse "x" as a port'],
    ['port=65536', 'unable to parse "65536" as a port'],
    ['port=0', 'port "0" must be > 0'],
  ] as const;
  for (const [query, message] of refused) {
    it(`refuses "${query}"`, () => {
      expect(() => parsePorts(new URLSearchParams(query))).to.throw(RangeError, message);
    });
  }
});
