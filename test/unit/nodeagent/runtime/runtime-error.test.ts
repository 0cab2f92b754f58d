import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isNotFound, RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';

describe('RuntimeError', () => {
  it('may be retried when the runtime gave no verdict', () => {
    const retriable = (
      ['timeout', 'unavailable', 'failed', 'not-found', 'closed', 'cancelled'] as const
    ).filter((code) => new RuntimeError(code, 'x').isRetriable);
    expect(retriable).to.deep.equal(['timeout', 'unavailable']);
  });

  it('is recognised by its code', () => {
    expect(isNotFound(new RuntimeError('not-found', 'x'))).to.equal(true);
    expect(isNotFound(new RuntimeError('failed', 'not found'))).to.equal(false);
    expect(isNotFound(new Error('not-found'))).to.equal(false);
  });
});
