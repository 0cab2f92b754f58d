import { expect } from 'chai';
import { readablePaths } from '../../../../src/server/filters/refusals.ts';
import type { Exchange } from '../../../../src/server/request/exchange.ts';
import { respondText } from '../../../../src/server/request/respond.ts';
import { makeExchange } from '../../../support/exchange.ts';

const succeed = async (exchange: Exchange): Promise<void> => respondText(exchange, 200, 'ok');

describe('readablePaths', () => {
  it('answers a path that names no resource', async () => {
    const exchange = makeExchange({ url: '/api/v1/watch' });
    await readablePaths(exchange, succeed);
    expect(exchange.answer.statusCode).to.equal(500);
    expect(exchange.answer.text).to.match(/^Internal Server Error: "\/api\/v1\/watch": failed to create/);
  });

  it('lets other requests pass', async () => {
    const exchange = makeExchange({ url: '/api/v1/watch/pods' });
    await readablePaths(exchange, succeed);
    expect(exchange.answer.text).to.equal('ok');
  });
});
