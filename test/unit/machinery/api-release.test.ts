import { expect } from 'chai';
import { releaseInfo } from '../../../src/machinery/api-release.ts';
import { createDialect, orchDialect } from '../../../src/machinery/dialect.ts';

describe('releaseInfo', () => {
  it("names the release's commit to clients that compare it with their own", () => {
    expect(releaseInfo(createDialect('kubernetes'), 'linux/amd64')).to.include({
      gitVersion: 'v1.20.2',
      gitCommit: 'faecb196815e248d3ecfb03c680a4507229c2a56',
      gitTreeState: 'clean',
    });
  });

  it('names no commit in our own dialect', () => {
    expect(releaseInfo(orchDialect, 'linux/amd64').gitCommit).to.equal('');
  });
});
