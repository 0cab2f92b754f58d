import { expect } from 'chai';
import {
  formatHeader,
  isBlank,
  isSameContent,
  joinDocuments,
  readEditFormat,
  withoutHeader,
} from '../../../../src/ctl/edit/edit-text.ts';

describe('formatHeader', () => {
  it('makes comments of the lead and of every reason with its details', () => {
    const reasons = [
      { head: 'a was not valid', details: ['x: one\ntwo', 'y: three'] },
      { head: 'bad syntax', details: [] },
    ];
    expect(formatHeader('Edit this.\nSave it.', reasons)).to.equal(
      '# Edit this.\n# Save it.\n#\n# a was not valid:\n# * x: one\n# two\n# * y: three\n#\n# bad syntax\n#\n',
    );
  });
});

describe('withoutHeader', () => {
  it('takes the comments above the document away and no others', () => {
    expect(withoutHeader('# a\n  # b\n#\ndata:\n  x: |\n    # kept\n')).to.equal(
      'data:\n  x: |\n    # kept\n',
    );
  });
  it('leaves nothing of a file of comments', () => {
    expect(withoutHeader('# a\n#')).to.equal('');
  });
});

describe('isSameContent', () => {
  const cases = [
    { one: 'a: 1\nb: [x]\n', other: '# note\nb:\n- x\na: 1', is: true, what: 'another layout' },
    { one: 'a: 1\n', other: 'a: 1\r\n', is: true, what: 'other line ends' },
    { one: 'a: 1\n', other: 'a: "1"\n', is: false, what: 'another type' },
    { one: 'a: |\n  # x\n', other: 'a: |\n  # y\n', is: false, what: 'a value that looks like a comment' },
    { one: 'a: [', other: '# why\na: [', is: true, what: 'the same broken text below a header' },
    { one: 'a: [', other: 'a: [[', is: false, what: 'another broken text' },
  ];
  for (const { one, other, is, what } of cases) {
    it(`${is ? 'does not see' : 'sees'} ${what}`, () => expect(isSameContent(one, other)).to.equal(is));
  }
});

describe('isBlank', () => {
  it('is true of comments and white space only', () => {
    expect(['', '# a\n \t\n', '# a\r\n\r\n', 'a: 1', '{}'].map(isBlank)).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('joinDocuments', () => {
  it('makes a list of several objects only', () => {
    expect(joinDocuments([1])).to.equal(1);
    expect(joinDocuments([1, 2])).to.deep.equal({
      apiVersion: 'v1',
      kind: 'List',
      metadata: {},
      items: [1, 2],
    });
  });
});

describe('readEditFormat', () => {
  it('takes yaml, json and nothing, which is yaml', () => {
    expect([undefined, '', 'yaml', 'json'].map(readEditFormat)).to.deep.equal([
      'yaml',
      'yaml',
      'yaml',
      'json',
    ]);
  });
  it('refuses what cannot be edited', () => {
    expect(() => readEditFormat('name')).to.throw('allowed formats are: json,yaml');
  });
});
