import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  hasLabels,
  ownLabels,
  readCreatedAtMs,
  readLabels,
  writeLabels,
} from '../../../../src/nodeagent/legacyrt/container-labels.ts';

describe('labels of the engine’s containers', () => {
  const own = ownLabels(orchDialect);

  it('are named after the domain of the dialect', () => {
    expect(own).to.include({ type: 'io.orch.legacyrt.type', sandboxId: 'io.orch.sandbox.id' });
    expect(ownLabels(createDialect('kubernetes'))).to.include({
      type: 'io.kubernetes.docker.type',
      sandboxId: 'io.kubernetes.sandbox.id',
      logPath: 'io.kubernetes.container.logpath',
    });
  });

  it('hold labels and annotations, and hide what is the driver’s own', () => {
    const labels = { app: 'web', 'a.b/c': '' };
    const annotations = { note: 'x y', 'annotation.note': 'z' };
    const all = writeLabels(labels, annotations, { [own.type]: 'container', [own.createdAt]: '12' });
    expect(readLabels(all, own)).to.deep.equal({ labels, annotations });
    expect(readCreatedAtMs(all, own, 99)).to.equal(12);
    expect(readCreatedAtMs({ ...all, [own.createdAt]: 'soon' }, own, 99)).to.equal(99);
    expect(readLabels(null, own)).to.deep.equal({ labels: {}, annotations: {} });
  });

  it('agree with a filter when they have all of it', () => {
    expect(hasLabels({ a: '1', b: '2' }, { a: '1' })).to.equal(true);
    expect(hasLabels({ a: '1' }, { a: '2' })).to.equal(false);
    expect(hasLabels({}, undefined)).to.equal(true);
  });
});
