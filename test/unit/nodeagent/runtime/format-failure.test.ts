import { expect } from 'chai';
import {
  formatRuntimeFailure,
  runtimeFailureDetail,
} from '../../../../src/nodeagent/runtime/format-failure.ts';
import { RuntimeError, type RuntimeErrorCode } from '../../../../src/nodeagent/runtime/runtime-error.ts';

describe('formatRuntimeFailure', () => {
  const names: readonly [RuntimeErrorCode, string][] = [
    ['not-found', 'NotFound'],
    ['already-exists', 'Unknown'],
    ['invalid', 'InvalidArgument'],
    ['denied', 'PermissionDenied'],
    ['unsupported', 'Unimplemented'],
    ['too-large', 'ResourceExhausted'],
    ['failed', 'Unknown'],
    ['timeout', 'DeadlineExceeded'],
    ['unavailable', 'Unavailable'],
    ['cancelled', 'Canceled'],
    ['closed', 'Canceled'],
  ];
  for (const [code, name] of names) {
    it(`names the status of ${code} as Go's library does`, () => {
      const error = new RuntimeError(code, 'PullImage: it is so');
      expect(formatRuntimeFailure(error)).to.equal(`rpc error: code = ${name} desc = it is so`);
    });
  }

  it('quotes the words of the runtime and leaves the call out', () => {
    const error = new RuntimeError('failed', 'StartContainer: a: b', { detail: 'a: b' });
    expect(formatRuntimeFailure(error)).to.equal('rpc error: code = Unknown desc = a: b');
  });

  it('leaves other errors as they are', () => {
    expect(formatRuntimeFailure(new TypeError('no number'))).to.equal('no number');
    expect(formatRuntimeFailure('text')).to.equal('text');
  });
});

describe('runtimeFailureDetail', () => {
  it('is what the runtime says, without call and status', () => {
    expect(runtimeFailureDetail(new RuntimeError('not-found', 'PullImage: no such image'))).to.equal(
      'no such image',
    );
    expect(runtimeFailureDetail(new RuntimeError('failed', 'no such image'))).to.equal('no such image');
    const own = new RuntimeError('failed', 'PullImage: x', { detail: 'own words' });
    expect(runtimeFailureDetail(own)).to.equal('own words');
  });

  it('takes only the first word that is a call off', () => {
    const detailOf = (message: string) => runtimeFailureDetail(new RuntimeError('failed', message));
    expect(detailOf('RunPodSandbox: Error: x')).to.equal('Error: x');
    expect(detailOf('open /etc/x: denied')).to.equal('open /etc/x: denied');
    expect(detailOf('RunPodSandbox:x')).to.equal('RunPodSandbox:x');
  });

  it('is the text of other errors', () => {
    expect(runtimeFailureDetail(new Error('x'))).to.equal('x');
  });
});
