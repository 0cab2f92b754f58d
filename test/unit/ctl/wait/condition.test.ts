import { expect } from 'chai';
import { parseCondition } from '../../../../src/ctl/wait/condition.ts';

const object = (status: object, generation = 1) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', generation },
  status,
});
const isMet = (text: string, one: ReturnType<typeof object>) => {
  const condition = parseCondition(text);
  return condition.kind === 'state' && condition.isMet(one);
};
const ready = { conditions: [{ type: 'Ready', status: 'True' }], phase: 'Running' };

describe('conditions that are waited for', () => {
  for (const [text, status, expected] of [
    ['condition=Ready', ready, true],
    ['condition=ready=TRUE', ready, true],
    ['condition=Ready=false', ready, false],
    ['condition=Other', ready, false],
    ['condition=', ready, false],
    ['condition=Ready', {}, false],
    ['condition=Ready', { ...ready, observedGeneration: 1 }, false],
    ['condition=Ready', { ...ready, observedGeneration: 2 }, true],
    [
      'condition=Ready',
      { conditions: [{ ...ready.conditions[0], observedGeneration: 1 }], observedGeneration: 2 },
      false,
    ],
    ['jsonpath={.status.phase}=Running', ready, true],
    ['jsonpath={.status.phase}=Pending', ready, false],
    ['jsonpath={.status.phase}', ready, true],
    ['jsonpath={.status.other}', ready, false],
    ['jsonpath={.status.conditions[?(@.type=="Ready")].status}=True', ready, true],
  ] as const) {
    it(`${text} ${expected ? 'is' : 'is not'} met by ${JSON.stringify(status)} at generation 2`, () => {
      expect(isMet(text, object(status, 2))).to.equal(expected);
    });
  }

  it('may be that the object is gone', () => {
    expect(parseCondition('DELETE').kind).to.equal('gone');
  });

  it('must be one of three kinds', () => {
    for (const text of ['', 'foo', 'Condition=Ready', 'jsonpath=x']) {
      expect(() => parseCondition(text)).to.throw(`unrecognized condition: ${JSON.stringify(text)}`);
    }
  });
});
