import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  chooseCommandProtocol,
  chooseForwardProtocol,
  splitProtocols,
} from '../../../../../src/nodeagent/legacyrt/streaming/protocols.ts';

describe('protocols of streams', () => {
  it('of commands: the newest that is offered, as the client spells it', () => {
    const all = ['channel.k8s.io', 'v2.channel.k8s.io', 'v4.channel.k8s.io', 'v3.channel.k8s.io'];
    expect(chooseCommandProtocol(all)).to.deep.equal({
      name: 'v4.channel.k8s.io',
      version: 4,
      isBase64: false,
    });
    expect(chooseCommandProtocol(['base64.channel.orch.io'])).to.include({ version: 1, isBase64: true });
    expect(chooseCommandProtocol(['v9.channel.orch.io', 'x'])).to.equal(undefined);
    expect(chooseCommandProtocol([])).to.deep.equal({ name: '', version: 1, isBase64: false });
  });

  it('of ports', () => {
    expect(chooseForwardProtocol(['x', 'portforward.k8s.io'])).to.equal('portforward.k8s.io');
    expect(chooseForwardProtocol([])).to.equal('');
    expect(chooseForwardProtocol(['x'])).to.equal(undefined);
  });

  it('are listed in one header or several', () => {
    expect(splitProtocols(['a, b', 'c'])).to.deep.equal(['a', 'b', 'c']);
    expect(splitProtocols(undefined)).to.deep.equal([]);
  });
});
