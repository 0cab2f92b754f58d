import { expect } from 'chai';
import {
  changeTaints,
  findTaken,
  parseTaintChanges,
  splitTaintArguments,
} from '../../../../src/ctl/taint/changes.ts';

const name = `must consist of alphanumeric characters, '-', '_' or '.'`;
const old = [
  { key: 'a', value: '1', effect: 'NoSchedule' },
  { key: 'a', value: '2', effect: 'NoExecute' },
];

describe('changes of taints', () => {
  for (const [spec, message] of [
    ['a=b', `invalid taint spec: a=b, name part ${name}`],
    ['a=b:Bad', 'invalid taint effect: Bad, unsupported taint effect'],
    ['x/y/z=1:NoSchedule', 'invalid taint spec: x/y/z=1:NoSchedule, a qualified name'],
    ['k=v_-:NoSchedule', 'invalid taint spec: k=v_-:NoSchedule, a valid label'],
    ['k=a=b:NoSchedule', 'invalid taint spec: k=a=b:NoSchedule'],
    ['k:v:NoSchedule', 'invalid taint spec: k:v:NoSchedule'],
    [':NoSchedule', 'invalid taint spec: :NoSchedule, name part must be non-empty; name part'],
  ] as const) {
    it(`refuses ${spec}`, () => {
      expect(() => parseTaintChanges([spec])).to.throw(message);
    });
  }

  it('refuses one taint twice, and one that is both set and removed', () => {
    expect(() => parseTaintChanges(['a=1:NoSchedule', 'a=2:NoSchedule'])).to.throw(
      'duplicated taints with the same key and effect: {a 2 NoSchedule <nil>}',
    );
    expect(() => parseTaintChanges(['a:NoSchedule-', 'a=x:NoSchedule'])).to.throw(
      'can not both modify and remove the following taint(s) in the same command: {"a":"NoSchedule"}',
    );
  });

  it('separates nodes from taints and says what is missing', () => {
    expect(splitTaintArguments(['nodes', 'n', 'a:NoExecute', 'b-'])).to.deep.equal({
      resources: ['nodes', 'n'],
      specs: ['a:NoExecute', 'b-'],
    });
    expect(() => splitTaintArguments(['a-'])).to.throw('one or more resources must be specified');
    expect(() => splitTaintArguments(['nodes'])).to.throw('at least one taint update is required');
    expect(() => splitTaintArguments(['nodes', 'a-', 'n'])).to.throw('before taint changes: n');
  });

  it('puts what is new first and keeps what is not named', () => {
    const { taints, operation } = changeTaints(old, parseTaintChanges(['b:NoExecute']), false);
    expect(operation).to.equal('tainted');
    expect(taints).to.deep.equal([{ key: 'b', effect: 'NoExecute' }, ...old]);
  });

  it('replaces by key and effect', () => {
    const changes = parseTaintChanges(['a=3:NoExecute']);
    expect(findTaken(old, changes)).to.deep.equal(['a']);
    const { taints, operation } = changeTaints(old, changes, true);
    expect(operation).to.equal('modified');
    expect(taints).to.deep.equal([{ key: 'a', value: '3', effect: 'NoExecute' }, old[0]]);
  });

  it('takes away one effect, or all of a key', () => {
    expect(changeTaints(old, parseTaintChanges(['a:NoExecute-']), false)).to.deep.equal({
      taints: [old[0]],
      operation: 'untainted',
    });
    expect(changeTaints(old, parseTaintChanges(['a-']), false).taints).to.deep.equal([]);
    expect(() => changeTaints(old, parseTaintChanges(['a:PreferNoSchedule-']), false)).to.throw(
      'taint "a:PreferNoSchedule" not found',
    );
  });
});
