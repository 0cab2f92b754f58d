import { expect } from 'chai';
import type { Deployment, ReplicaSet } from '../../../../src/apis/types/apps-v1.ts';
import {
  deploymentAnnotations,
  hasSameTemplate,
  newSetAnnotations,
  nextRevision,
} from '../../../../src/controllers/deployment/revisions.ts';
import { decideRollback, isRollbackRequested } from '../../../../src/controllers/deployment/rollback.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const names = deploymentAnnotations(orchDialect);
const template = (image: string, labels: object = {}) =>
  ({
    metadata: { labels: { app: 'a', ...labels } },
    spec: { containers: [{ image }] },
  }) as unknown as ReplicaSet['spec']['template'];
const set = (revision: number | string, image: string, annotations: object = {}) =>
  ({
    metadata: { annotations: { [names.revision]: String(revision), ...annotations } },
    spec: { template: template(image, { 'pod-template-hash': 'x' }) },
  }) as unknown as ReplicaSet;
const deployment = (annotations: Record<string, string>) =>
  ({ metadata: { name: 'd', annotations }, spec: { template: template('v3') } }) as unknown as Deployment;

describe('a request for an older revision', () => {
  const sets = [set(1, 'v1'), set(2, 'v2', { cause: 'two' }), set(3, 'v3')];
  const cases: [string, string, ReplicaSet[], string, string | undefined][] = [
    ['takes the one before', '0', sets, 'DeploymentRollback', 'v2'],
    ['takes the one that is named', '1', sets, 'DeploymentRollback', 'v1'],
    ['ends when there is none before', '0', [set(1, 'v3')], 'DeploymentRollbackRevisionNotFound', 'v3'],
    ['ends when there is none of that number', '9', sets, 'DeploymentRollbackRevisionNotFound', 'v3'],
    [
      'tells great revisions apart',
      '9223372036854775805',
      [set('9223372036854775804', 'v1'), set('9223372036854775805', 'v2')],
      'DeploymentRollback',
      'v2',
    ],
    [
      'takes the great one before',
      '0',
      [set('9223372036854775807', 'v3'), set(7, 'v1'), set('9223372036854775806', 'v2')],
      'DeploymentRollback',
      'v2',
    ],
    [
      'counts no revision that is none',
      '0',
      [set('x', 'v1'), set('9223372036854775808', 'v2'), set(1, 'v3')],
      'DeploymentRollbackRevisionNotFound',
      'v3',
    ],
    ['ends when nothing would change', '3', sets, 'DeploymentRollbackTemplateUnchanged', 'v3'],
  ];
  for (const [what, request, known, reason, image] of cases) {
    it(what, () => {
      const result = decideRollback(deployment({ [names.rollbackTo]: request, keep: 'x' }), known, names);
      const { spec, metadata } = result.updated;
      expect([result.reason, spec.template.spec.containers?.[0]?.image]).to.deep.equal([reason, image]);
      expect(metadata.annotations).to.not.have.property(names.rollbackTo);
      expect(spec.template.metadata.labels).to.deep.equal({ app: 'a' });
    });
  }

  it('brings back the annotations of that revision', () => {
    const { updated } = decideRollback(
      deployment({ [names.rollbackTo]: '2', [names.revision]: '3' }),
      sets,
      names,
    );
    expect(updated.metadata.annotations).to.deep.equal({ [names.revision]: '3', cause: 'two' });
  });
});

describe('the annotations of a current set', () => {
  it('are those of the deployment, but for its own', () => {
    const given = deployment({ cause: 'x', [names.lastApplied]: '{}', [names.revision]: '7' });
    expect(newSetAnnotations(given, { old: 'y' }, { revision: 2n, names })).to.deep.equal({
      ...{ old: 'y', cause: 'x' },
      [names.revision]: '2',
    });
  });

  it('keep the revisions that it was, in 2,000 letters', () => {
    const history = Array.from({ length: 500 }, (_, at) => 1000 + at).join(',');
    const before = { [names.revision]: '9998', [names.revisionHistory]: history };
    const after = newSetAnnotations(deployment({}), before, { revision: 9999n, names });
    expect(after[names.revision]).to.equal('9999');
    expect(after[names.revisionHistory]).to.match(/^1\d{3},.*,1499,9998$/);
    expect(after[names.revisionHistory]?.length).to.be.within(1990, 2000);
  });

  it('never go back to a smaller revision', () => {
    const before = { [names.revision]: '5' };
    expect(newSetAnnotations(deployment({}), before, { revision: 3n, names })).to.deep.equal(before);
  });
});

describe('the next revision', () => {
  const cases: [string, string[], string][] = [
    ['is the first where there was none', [], '1'],
    ['follows one above 2^53', ['3546343826724305832', '4'], '3546343826724305833'],
    ['may be the greatest', ['9223372036854775806'], '9223372036854775807'],
    ['is the smallest after the greatest', ['9223372036854775807'], '-9223372036854775808'],
    ['passes over what is no number of 64 bits', ['9223372036854775808', 'x', '', '2'], '3'],
  ];
  for (const [what, revisions, next] of cases) {
    it(what, () => {
      const sets = revisions.map((revision) => set(revision, 'v1'));
      expect(String(nextRevision(sets, names))).to.equal(next);
    });
  }

  it('is taken neither by a set that has a greater one nor by one whose revision is no number', () => {
    const revised = (before: string, revision: bigint) =>
      newSetAnnotations(deployment({}), { [names.revision]: before }, { revision, names })[names.revision];
    expect(revised('3546343826724305832', 3546343826724305833n)).to.equal('3546343826724305833');
    expect(revised('3546343826724305834', 3546343826724305833n)).to.equal('3546343826724305834');
    expect(revised('x', 3n)).to.equal('x');
    expect(newSetAnnotations(deployment({}), {}, { revision: -(2n ** 63n), names })).to.deep.equal({});
  });
});

describe('templates', () => {
  it('are the same whatever the hash of their set', () => {
    expect(hasSameTemplate(template('a'), template('a', { 'pod-template-hash': 'x' }))).to.equal(true);
    expect(hasSameTemplate(template('a'), template('b'))).to.equal(false);
  });

  it('is one when it is a number', () => {
    const isOne = (request: string) =>
      isRollbackRequested(deployment({ [names.rollbackTo]: request }), names);
    expect(['0', '2', '9223372036854775807', '+1', '-1'].map(isOne)).to.deep.equal(Array(5).fill(true));
    expect(['', 'x', '1.5', '9223372036854775808', ' 1'].map(isOne)).to.deep.equal(Array(5).fill(false));
    expect(isRollbackRequested(deployment({}), names)).to.equal(false);
  });
});
