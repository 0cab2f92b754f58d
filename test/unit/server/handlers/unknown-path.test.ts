import { expect } from 'chai';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { unknownPath } from '../../../../src/server/handlers/unknown-path.ts';
import { makeExchange } from '../../../support/exchange.ts';

const answerTo = (url: string, spell = (text: string) => text) => {
  const exchange = makeExchange({ url });
  unknownPath(spell)(exchange);
  return exchange.answer;
};

describe('unknownPath', () => {
  for (const url of ['/apis/none', '/apis/none/v1', '/apis/none/v1/things/x']) {
    it(`answers ${url} with a line of text`, () => {
      const answer = answerTo(url);
      expect(answer.statusCode).to.equal(404);
      expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8');
      expect(answer.text).to.equal('404 page not found\n');
    });
  }

  for (const url of ['/none', '/api/v9/pods', '/apix', '/healthz/none']) {
    it(`answers ${url} with an index of paths`, () => {
      const answer = answerTo(url);
      expect(answer.statusCode).to.equal(404);
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(answer.json.paths).to.include.members(['/apis', '/healthz', '/readyz/shutdown', '/version']);
    });
  }

  it('lists checks in order', () => {
    const ready = (answerTo('/none').json.paths as string[]).filter((path) => path.startsWith('/readyz/'));
    expect(ready).to.deep.equal([...ready].sort());
  });

  it('names groups as the dialect does', () => {
    const { spell } = createDialect('kubernetes');
    expect(answerTo('/none', spell).text).not.to.contain('orch');
  });
});
