import { expect } from 'chai';
import { type AskedFor, explainFailure } from '../../../src/controllers/scales.ts';
import { statusErrorFrom } from '../../../src/machinery/errors/index.ts';

const answer = (status: number, body: string) =>
  statusErrorFrom({ status, body: Buffer.from(body), retryAfterSeconds: 0, method: 'GET' });
const own = JSON.stringify({
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
  message: 'pods "x" not found',
});

describe('what a failed read is told as', () => {
  const cases: [string, unknown, AskedFor, string][] = [
    [
      'names what was asked for when the answer does not',
      answer(404, '404 page not found'),
      { group: 'a.example', resource: 'things', name: 'x' },
      'the server could not find the requested resource (get things.a.example x)',
    ],
    [
      'names no object when a list was asked for, nor a group when there is none',
      answer(503, 'service unavailable'),
      { group: '', resource: 'things' },
      'the server is currently unable to handle the request (get things)',
    ],
    ['is what the server says', answer(404, own), { group: '', resource: 'pods' }, 'pods "x" not found'],
    ['is any other error', new Error('broken'), { group: '', resource: 'pods' }, 'broken'],
  ];
  for (const [what, error, asked, text] of cases) {
    it(what, () => {
      expect(explainFailure(error, asked)).to.equal(text);
    });
  }
});
