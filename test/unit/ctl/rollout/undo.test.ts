import { expect } from 'chai';
import { formatOverview } from '../../../../src/ctl/rollout/history.ts';
import { chooseRevision, deploymentPatch } from '../../../../src/ctl/rollout/undo.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';

const revisions = [1, 4, 7].map((revision) => ({
  revision: BigInt(revision),
  annotations: {},
  patch: undefined,
  template: async () => ({}),
}));

describe('chooseRevision', () => {
  const choose = (toRevision: number, list = revisions, kind: 'Deployment' | 'DaemonSet' = 'Deployment') =>
    chooseRevision(list, { toRevision, kind, name: 'web' }).revision;

  it('takes the last but one, or that with the number', () => {
    expect(choose(0)).to.equal(4n);
    expect(choose(1)).to.equal(1n);
    expect(choose(7)).to.equal(7n);
  });

  it('says that there is none', () => {
    for (const number of [2, -1]) {
      expect(() => choose(number)).to.throw(`unable to find specified revision ${number} in history`);
    }
    for (const list of [[], revisions.slice(0, 1)]) {
      expect(() => choose(0, list)).to.throw('no rollout history found for deployment "web"');
      expect(() => choose(0, list, 'DaemonSet')).to.throw('no last revision to roll back to');
    }
  });
});

describe('deploymentPatch', () => {
  for (const name of ['orch', 'kubernetes'] as const) {
    it(`keeps the annotations of the rollout and takes the others from the revision (${name})`, () => {
      const dialect = createDialect(name);
      const key = (text: string) => dialect.domain('deployment', text);
      const own = { [key('revision')]: '3', [dialect.lastAppliedAnnotation]: '{}' };
      const former = {
        [key('revision')]: '1',
        [key('desired-replicas')]: '3',
        [dialect.lastAppliedAnnotation]: '{"a":1}',
        b: '2',
      };
      const template = {
        metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } },
        spec: { containers: [] },
      };
      expect(deploymentPatch(dialect, { ...own, a: '1' }, former, template)).to.deep.equal([
        {
          op: 'replace',
          path: '/spec/template',
          value: { metadata: { labels: { app: 'web' } }, spec: { containers: [] } },
        },
        { op: 'replace', path: '/metadata/annotations', value: { ...own, b: '2' } },
      ]);
    });
  }
});

describe('formatOverview', () => {
  it('writes a row for each revision', () => {
    expect(
      formatOverview([
        { revision: 1n, cause: '' },
        { revision: 12n, cause: 'ctl apply -f web.yaml' },
      ]),
    ).to.equal('REVISION  CHANGE-CAUSE\n1         <none>\n12        ctl apply -f web.yaml\n');
  });
});
