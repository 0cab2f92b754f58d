import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { AnyRequest } from '../../../../src/net/http/index.ts';
import { maxBodyBytes, readBody } from '../../../../src/server/request/body.ts';

import { expectStatus } from '../../../support/expect-status.ts';

/** A request whose body is written by the test. */
function upload(headers: Record<string, string> = {}) {
  const stream = Object.assign(new PassThrough(), { headers });
  return { stream, body: readBody({ request: stream as unknown as AnyRequest }) }; // what is read of a request is there
}

describe('readBody', () => {
  it('joins what comes in pieces', async () => {
    const { stream, body } = upload();
    for (const piece of ['{"a"', ':', '1}']) stream.write(piece);
    stream.end();
    expect((await body).toString()).to.equal('{"a":1}');
  });

  it('may be empty', async () => {
    const { stream, body } = upload();
    stream.end();
    expect(await body).to.have.length(0);
  });

  const tooLarge = {
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${maxBodyBytes}`,
  };

  it('takes a body of just the limit', async () => {
    const { stream, body } = upload({ 'content-length': String(maxBodyBytes) });
    stream.end(Buffer.alloc(maxBodyBytes));
    expect(await body).to.have.length(maxBodyBytes);
  });

  it('refuses a body that is announced too long before it comes', () =>
    expectStatus(upload({ 'content-length': String(maxBodyBytes + 1) }).body, tooLarge));

  it('refuses a body that turns out too long', async () => {
    const { stream, body } = upload();
    const refused = expectStatus(body, tooLarge);
    stream.write(Buffer.alloc(maxBodyBytes));
    stream.write(Buffer.alloc(1));
    await refused;
  });

  for (const event of ['error', 'aborted']) {
    it(`refuses a body that breaks off with "${event}"`, async () => {
      const { stream, body } = upload();
      const refused = expectStatus(body, { code: 400, reason: 'BadRequest' });
      stream.write('{');
      stream.emit(event, new Error('gone'));
      await refused;
    });
  }

  it('refuses the body of a client that left before it was read', async () => {
    const stream = Object.assign(new PassThrough(), { headers: {} });
    stream.destroy();
    const request = stream as unknown as AnyRequest; // as above
    await expectStatus(readBody({ request }), { code: 400, reason: 'BadRequest' });
  });

  it('gives the body out when it is the turn of the request', async () => {
    const stream = Object.assign(new PassThrough(), { headers: {} });
    const waiting: (() => void)[] = [];
    const turns = { take: () => new Promise<void>((resolve) => waiting.push(resolve)), push: () => {} };
    let isRead = false;
    const body = readBody({ request: stream as unknown as AnyRequest, turns }).finally(() => {
      isRead = true;
    });
    stream.end('{}');
    while (waiting.length === 0) await new Promise(setImmediate);
    expect(isRead).to.equal(false);
    waiting[0]?.();
    expect((await body).toString()).to.equal('{}');
  });
});
