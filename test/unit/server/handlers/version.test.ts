import { expect } from 'chai';
import { createVersionHandler } from '../../../../src/server/handlers/version.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const handle = createVersionHandler(() => ({ major: '1' }));
const send = async (headers: Record<string, string>) => {
  const exchange = makeExchange({ headers });
  await handle(exchange);
  return exchange.answer;
};

describe('createVersionHandler', () => {
  const accepted = ['application/json', 'text/html, */*', 'application/json;as=Table;v=v1;g=x', ''];
  for (const accept of accepted) {
    it(`answers who accepts ${JSON.stringify(accept)}`, async () => {
      expect((await send({ accept })).json).to.deep.equal({ major: '1' });
    });
  }

  for (const accept of ['APPLICATION/JSON', 'application/yaml']) {
    it(`refuses who accepts ${accept}`, async () => {
      await expectStatus(() => send({ accept }), { code: 406, message: '406: Not Acceptable' });
    });
  }
});
