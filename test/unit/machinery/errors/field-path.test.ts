import { expect } from 'chai';
import fc from 'fast-check';
import { FieldPath, fieldPath } from '../../../../src/machinery/errors/index.ts';

describe('FieldPath', () => {
  const rows: readonly (readonly [FieldPath, string])[] = [
    [fieldPath(), ''],
    [fieldPath('spec'), 'spec'],
    [fieldPath('spec', 'template', 'spec'), 'spec.template.spec'],
    [fieldPath().child('spec'), 'spec'],
    [fieldPath('spec').child('a', 'b'), 'spec.a.b'],
    [fieldPath('spec').child('containers').index(0).child('name'), 'spec.containers[0].name'],
    [fieldPath('metadata', 'labels').key('example.com/x'), 'metadata.labels[example.com/x]'],
    [fieldPath('spec').key('').child('x'), 'spec[].x'],
    [fieldPath('m').index(1).index(2), 'm[1][2]'],
    [new FieldPath('a', undefined).child('b.c'), 'a.b.c'],
  ];
  for (const [path, text] of rows) {
    it(`writes "${text}"`, () => expect(path.toString()).to.equal(text));
  }

  it('is not changed by what is made below it', () => {
    const parent = fieldPath('spec');
    parent.child('a').index(3);
    parent.key('k');
    expect(parent.toString()).to.equal('spec');
  });

  it('without names to go down is the same path', () => {
    const path = fieldPath('spec');
    expect(path.child()).to.equal(path);
  });

  it('goes down several levels at once as it does one by one', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const stepwise = names.reduce((path, each) => path.child(each), fieldPath());
        expect(
          fieldPath()
            .child(...names)
            .toString(),
        ).to.equal(stepwise.toString());
        expect(fieldPath(...names).toString()).to.equal(names.join('.'));
      }),
    );
  });
});
