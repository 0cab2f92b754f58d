import { expect } from 'chai';
import { tooManyRequests } from '../../../../src/machinery/errors/index.ts';
import {
  respond,
  respondError,
  respondText,
  respondValue,
  warningHeader,
} from '../../../../src/server/request/respond.ts';
import { encodings } from '../../../support/encodings.ts';
import { makeExchange } from '../../../support/exchange.ts';

describe('answers', () => {
  it('carry length, type and the audit id, and are not to be cached', () => {
    const exchange = makeExchange();
    respondValue(exchange, 201, { a: 'ä' });
    expect(exchange.answer.statusCode).to.equal(201);
    expect(exchange.answer.text).to.equal('{"a":"ä"}\n');
    expect(exchange.answer.headers).to.deep.equal({
      'audit-id': 'audit-1',
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      'content-length': 11,
    });
  });

  it('have no body for HEAD, but its length', () => {
    const exchange = makeExchange({ method: 'HEAD' });
    respondText(exchange, 200, 'ok');
    expect(exchange.answer.text).to.equal('');
    expect(exchange.answer.headers['content-length']).to.equal(2);
  });

  it('of text forbid browsers to guess', () => {
    const exchange = makeExchange();
    respondText(exchange, 200, 'ok');
    expect(exchange.answer.headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  it('that are errors tell when to try again, in header and body', () => {
    const exchange = makeExchange();
    respondError(exchange, tooManyRequests('busy', 3), encodings);
    expect(exchange.answer.statusCode).to.equal(429);
    expect(exchange.answer.headers['retry-after']).to.equal('3');
    expect(exchange.answer.json.details.retryAfterSeconds).to.equal(3);
  });

  const failure = tooManyRequests('busy', 3);
  const indented = '{\n  "kind": "Status",';
  const magic = Buffer.from('6b387300', 'hex').toString();
  const forms: [accept: string, contentType: string, start: string][] = [
    ['application/json', 'application/json', '{"kind":"Status",'],
    ['application/yaml', 'application/yaml', 'apiVersion: v1\n'],
    ['application/vnd.orch.protobuf', 'application/vnd.orch.protobuf', magic],
    ['application/vnd.orch.protobuf;as=Table;v=v1;g=meta.orch.io', 'application/json', indented],
    ['text/html', 'application/json', indented],
  ];
  for (const [accept, contentType, start] of forms) {
    it(`that are errors come as ${contentType} to who accepts ${accept}`, () => {
      const exchange = makeExchange({ headers: { accept } });
      respondError(exchange, failure, encodings);
      expect(exchange.answer.headers['content-type']).to.equal(contentType);
      expect(exchange.answer.text.startsWith(start)).to.equal(true);
      expect(exchange.answer.statusCode).to.equal(429);
    });
  }

  it('are given once', () => {
    const exchange = makeExchange();
    respondText(exchange, 200, 'first');
    respond(exchange, { code: 500, contentType: 'x/y', body: Buffer.from('second') });
    expect([exchange.answer.statusCode, exchange.answer.text]).to.deep.equal([200, 'first']);
  });
});

describe('warningHeader', () => {
  it('is absent without warnings', () => {
    expect(warningHeader(makeExchange())).to.deep.equal({});
  });

  it('quotes each warning', () => {
    const exchange = makeExchange({ warnings: ['old', 'say "no" \\ more'] });
    expect(warningHeader(exchange)).to.deep.equal({
      Warning: ['299 - "old"', '299 - "say \\"no\\" \\\\ more"'],
    });
  });
});
