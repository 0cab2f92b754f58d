import { expect } from 'chai';
import { identifyUser } from '../../../../src/server/aggregation/index.ts';

describe('headers that tell another server who asks', () => {
  const user = { name: 'alice', groups: ['devs', 'system:authenticated'], extra: {} };

  it('have the name and each group', () => {
    expect(identifyUser({}, user)).to.deep.equal({
      'x-remote-user': 'alice',
      'x-remote-group': ['devs', 'system:authenticated'],
    });
  });

  it('replace all that a client says of itself, and keep the rest', () => {
    const claimed = {
      accept: 'text/plain',
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-extra-scopes': 'all',
      'x-remote-addr': 'kept',
    };
    expect(identifyUser(claimed, { name: 'bob', groups: [], extra: {} })).to.deep.equal({
      accept: 'text/plain',
      'x-remote-addr': 'kept',
      'x-remote-user': 'bob',
    });
  });

  it('have keys of extra values as names of headers can be', () => {
    const extra = { 'example.com/scopes': ['a', 'b'], 'a b%ü': ['c'], empty: [] };
    const headers = identifyUser({}, { ...user, extra });
    expect(headers['x-remote-extra-example.com%2Fscopes']).to.deep.equal(['a', 'b']);
    expect(headers['x-remote-extra-a%20b%25%C3%BC']).to.deep.equal(['c']);
    expect(Object.keys(headers)).to.have.length(4);
  });

  it('have other letters as bytes of UTF-8', () => {
    const { 'x-remote-user': name } = identifyUser({}, { ...user, name: 'Jürgen' });
    expect(Buffer.from(String(name), 'latin1').toString()).to.equal('Jürgen');
  });
});
