import { expect } from 'chai';
import fc from 'fast-check';
import { createDialect, orchDialect, translateData } from '../../../../src/machinery/dialect.ts';

const kubernetes = createDialect('kubernetes');

describe('spelling of sentences', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['ctl apply -f x', 'kubectl apply -f x'],
    ['use ctl, not systemctl', 'use kubectl, not systemctl'],
    ['NodeAgentReady', 'KubeletReady'],
    ['orch-apiserver', 'kube-apiserver'],
    ['ORCH_SERVICE_HOST', 'KUBERNETES_SERVICE_HOST'],
    ['ORCHCONFIG', 'KUBECONFIG'],
    ['orchconfig', 'kubeconfig'],
    ['legacyrt://abc', 'docker://abc'],
    ['All legacy orch types successfully parsed', 'All legacy kube types successfully parsed'],
    ['it better be legacy orch', 'it better be legacy kube'],
    ['Updated limits on orch reserved cgroup /a', 'Updated limits on kube reserved cgroup /a'],
    ['enforce Orch Reserved Cgroup Limits', 'enforce Kube Reserved Cgroup Limits'],
    ['orch service traffic', 'kubernetes service traffic'],
    ['io.orch.container.name', 'io.k8s.container.name'],
    ['application/vnd.orch.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'],
    ['orch.io/hostname', 'kubernetes.io/hostname'],
    ['example.orch.io/x', 'example.kubernetes.io/x'],
    ['policy.orch.io', 'policy.kubernetes.io'],
    ['notorch.io/x', 'notorch.io/x'],
  ];
  for (const [orch, other] of rows) {
    it(`${orch} is ${other}`, () => expect(kubernetes.spell(orch)).to.equal(other));
  }

  it('leaves any text alone that does not name the product', () => {
    const word = fc
      .stringMatching(/^[a-z0-9./: -]{0,20}$/)
      .filter((text) => !/orch|nodeagent|legacyrt|\bctl\b/i.test(text));
    fc.assert(
      fc.property(word, (text) => {
        expect(kubernetes.spell(text)).to.equal(text);
        expect(orchDialect.spell(text)).to.equal(text);
      }),
    );
  });

  it('takes a text as large as a request at once', () => {
    for (const part of ['a.', 'orch.', 'orch.io/', 'a-', 'orchA', 'ctl ']) {
      const text = part.repeat(100_000);
      expect(kubernetes.spell(text).length).to.be.at.least(text.length / 2);
      expect(kubernetes.unspell(text)).to.be.a('string');
    }
  });
});

describe('translateData', () => {
  it('keeps the shape of any data', () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (typeof value !== 'object' || value === null) return typeof value;
      return Object.values(value).map(shape);
    };
    const key = fc.constantFrom('a', 'orch.io/x', 'nodeAgentPort');
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.constantFrom('orch', 'x'),
        fc.array(tie('data')),
        fc.dictionary(key, tie('data'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        const before = JSON.stringify(value);
        expect(shape(translateData(kubernetes, value))).to.deep.equal(shape(value));
        expect(translateData(orchDialect, value)).to.equal(value);
        expect(JSON.stringify(value)).to.equal(before);
      }),
    );
  });
});
