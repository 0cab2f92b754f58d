import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { renderServeDocs } from '../../../scripts/serve-docs.ts';
import { renderVersionDocs } from '../../../scripts/version-docs.ts';
import reference from '../../../src/config/serve/reference-flags.json' with { type: 'json' };

describe('renderVersionDocs', () => {
  const text = renderVersionDocs();

  it('is what docs/versions.md holds; else run scripts/generate-version-docs.ts', () => {
    const file = new URL('../../../docs/versions.md', import.meta.url);
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });

  it('has a row for kinds that live alike', () => {
    expect(text).to.contain(
      '\n| networking.orch.io | v1beta1 | Ingress | beta | 1.14 | 1.19 | 1.22 | `networking.orch.io/v1` |\n',
    );
    expect(text).to.contain('\n| (core) | v1 | ComponentStatus | stable | 1.0 | 1.19 | | |\n');
    expect(text).to.contain(
      '\n| apps | v1 | ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet |',
    );
  });

  it('says where a replacement comes with a later release only', () => {
    expect(text).to.contain('| PodDisruptionBudget | beta | 1.5 | 1.21 | 1.25 | `policy/v1`, not in 1.20 |');
    // The version is there, the kind is not.
    expect(text).to.contain('| CronJob | beta | 1.8 | 1.21 | 1.25 | `batch/v1`, not in 1.20 |');
  });

  it('gives every row as many cells as the head has', () => {
    for (const block of text.split('\n\n').filter((part) => part.startsWith('|'))) {
      const counts = new Set(
        block
          .trim()
          .split('\n')
          .map((line) => line.split('|').length),
      );
      expect(counts.size, block).to.equal(1);
    }
  });
});

describe('renderServeDocs', () => {
  it('is what docs/serve-options.md holds; else run scripts/generate-version-docs.ts', () => {
    const file = new URL('../../../docs/serve-options.md', import.meta.url);
    expect(readFileSync(file, 'utf8')).to.equal(renderServeDocs());
  });

  it('says of every flag that does nothing why', () => {
    for (const { name, support, reason } of reference.flags) {
      expect(Boolean(reason), name).to.equal(support !== 'yes');
    }
  });
});
