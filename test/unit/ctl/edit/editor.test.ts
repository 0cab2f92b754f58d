import { expect } from 'chai';
import { findEditor } from '../../../../src/ctl/edit/editor.ts';
import type { CtlIo } from '../../../../src/ctl/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';

const find = (env: CtlIo['env'], dialect = orchDialect) => findEditor({ io: { env } as CtlIo, dialect });
const program = (...words: string[]) => ({ kind: 'program', words });

describe('findEditor', () => {
  it('prefers the variable of the product, then EDITOR, then vi', () => {
    expect(find({ ORCH_EDITOR: 'nano', EDITOR: 'emacs' })).to.deep.equal(program('nano'));
    expect(find({ ORCH_EDITOR: '', EDITOR: 'emacs' })).to.deep.equal(program('emacs'));
    expect(find({})).to.deep.equal(program('vi'));
  });

  it("reads the dialect's own variable before the default one", () => {
    const dialect = createDialect('kubernetes');
    const name = dialect.spell('ORCH_EDITOR');
    expect(name).to.not.equal('ORCH_EDITOR');
    expect(find({ [name]: 'a', ORCH_EDITOR: 'b' }, dialect)).to.deep.equal(program('a'));
    expect(find({ ORCH_EDITOR: 'b' }, dialect)).to.deep.equal(program('b'));
  });

  it('splits arguments at blanks', () => {
    expect(find({ EDITOR: 'code  --wait' })).to.deep.equal(program('code', '--wait'));
  });

  it('leaves quotes to the shell', () => {
    const line = `'/opt/my editor' -n`;
    expect(find({ EDITOR: line })).to.deep.equal({ kind: 'shell', shell: '/bin/bash', line });
    expect(find({ EDITOR: line, SHELL: '/bin/sh' })).to.deep.equal({ kind: 'shell', shell: '/bin/sh', line });
  });
});
