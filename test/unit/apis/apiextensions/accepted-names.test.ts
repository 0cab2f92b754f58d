import { expect } from 'chai';
import { decideNames, type HeldNames } from '../../../../src/apis/apiextensions/accepted-names.ts';

const none = { plural: '', kind: '' };
const wanted = {
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  listKind: 'WidgetList',
  shortNames: ['w', 'wd'],
};
const held = (resources: readonly string[] = [], kinds: readonly string[] = []): HeldNames => ({
  resources: new Set(resources),
  kinds: new Set(kinds),
});

describe('decideNames', () => {
  it('accepts names that nobody holds', () => {
    const { accepted, conflict } = decideNames(
      { ...wanted, categories: ['all'] },
      none,
      held(['other'], ['Other']),
    );
    expect(accepted).to.deep.equal({ ...wanted, categories: ['all'] });
    expect(conflict).to.equal(undefined);
  });

  it('keeps names that it holds itself', () => {
    const own = held(['widgets', 'widget', 'w', 'wd'], ['Widget', 'WidgetList']);
    expect(decideNames(wanted, wanted, own)).to.deep.equal({ accepted: wanted, conflict: undefined });
  });

  const conflicts: readonly [string, HeldNames, string, string][] = [
    ['singular', held(['widget']), 'SingularConflict', '"widget" is already in use'],
    ['one short name', held(['wd']), 'ShortNamesConflict', '"wd" is already in use'],
    [
      'two short names',
      held(['w', 'wd']),
      'ShortNamesConflict',
      '["w" is already in use, "wd" is already in use]',
    ],
    ['kind', held([], ['Widget']), 'KindConflict', '"Widget" is already in use'],
    [
      'several, the last',
      held(['widget'], ['WidgetList']),
      'ListKindConflict',
      '"WidgetList" is already in use',
    ],
  ];
  for (const [what, others, reason, message] of conflicts) {
    it(`tells of a conflict: ${what}`, () => {
      expect(decideNames(wanted, none, others).conflict).to.deep.equal({ reason, message });
    });
  }

  it('takes what is free and leaves what is not', () => {
    const { accepted } = decideNames(wanted, none, held([], ['Widget']));
    expect(accepted).to.include({ plural: 'widgets', singular: 'widget', kind: '', listKind: 'WidgetList' });
  });
});
