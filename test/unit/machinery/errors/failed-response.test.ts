import { expect } from 'chai';
import { statusErrorFrom } from '../../../../src/machinery/errors/index.ts';

describe('statusErrorFrom', () => {
  const messageOf = (status: number, body: string, contentType: string): string =>
    statusErrorFrom({ status, body: Buffer.from(body), contentType, retryAfterSeconds: 0, method: 'POST' })
      .message;

  it('shows what was written as text', () => {
    expect(messageOf(403, ' no\n', 'text/plain')).to.equal('no');
    expect(messageOf(500, 'oops', '')).to.equal(
      'an error on the server ("oops") has prevented the request from succeeding',
    );
  });

  it('does not show what is no text', () => {
    for (const status of [403, 415]) expect(messageOf(status, '{}', 'application/json')).to.equal('unknown');
    expect(messageOf(500, '{}', 'application/json')).to.equal(
      'an error on the server ("unknown") has prevented the request from succeeding',
    );
    expect(messageOf(406, '{}', 'application/json')).to.match(/^the server was unable to respond/);
  });

  it('shows that nothing was written', () => expect(messageOf(415, '', '')).to.equal(''));
});
