import { expect } from 'chai';
import { createOriginTest } from '../../../../src/app/open-access.ts';
import { cors } from '../../../../src/server/filters/cors.ts';
import type { Exchange } from '../../../../src/server/request/exchange.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

function exchangeFrom(origin: string | undefined, method = 'GET') {
  const headers = new Map<string, string>();
  const state = { code: 0, hasEnded: false };
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    writeHead(code: number) {
      state.code = code;
    },
    end() {
      state.hasEnded = true;
    },
  };
  const exchange = { method, request: { headers: { origin } }, response } as unknown as Exchange;
  return { exchange, headers, state };
}

describe('cors', () => {
  const filter = cors((origin) => origin === 'https://good.example');

  it('answers a preflight from an allowed origin itself', async () => {
    const { exchange, headers, state } = exchangeFrom('https://good.example', 'OPTIONS');
    await filter(exchange, () => Promise.reject(new Error('went on')));
    expect(state).to.deep.equal({ code: 204, hasEnded: true });
    expect(headers.get('access-control-allow-origin')).to.equal('https://good.example');
    expect(headers.get('cache-control')).to.equal('no-cache, private');
  });

  it('marks other answers to an allowed origin and goes on', async () => {
    const { exchange, headers } = exchangeFrom('https://good.example');
    let wentOn = false;
    await filter(exchange, async () => {
      wentOn = true;
    });
    expect(wentOn).to.equal(true);
    expect(headers.get('access-control-allow-credentials')).to.equal('true');
  });

  for (const origin of [undefined, 'https://bad.example']) {
    it(`says nothing to the origin ${origin}`, async () => {
      const { exchange, headers } = exchangeFrom(origin, 'OPTIONS');
      let wentOn = false;
      await filter(exchange, async () => {
        wentOn = true;
      });
      expect(wentOn).to.equal(true);
      expect(headers.size).to.equal(0);
    });
  }
});

describe('createOriginTest', () => {
  it('allows what any pattern finds', async () => {
    const isAllowed = await createOriginTest(['\\.example$', '^https://one']);
    expect(isAllowed?.('https://a.example')).to.equal(true);
    expect(isAllowed?.('https://one.test')).to.equal(true);
    expect(isAllowed?.('https://two.test')).to.equal(false);
  });

  it('is nothing without patterns', async () => {
    expect(await createOriginTest([])).to.equal(undefined);
  });

  it('takes no longer for an origin that is made to be slow', async () => {
    const isAllowed = await createOriginTest(['^(a+)+$']);
    const cpuMs = cpuMsOf(() => expect(isAllowed?.(`${'a'.repeat(5000)}!`)).to.equal(false));
    expect(cpuMs).to.be.below(1000);
  });
});
