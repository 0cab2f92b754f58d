import { expect } from 'chai';
import { codeFileOf, compileModule, type ModuleBody } from '../../../../src/app/client/compiled-module.ts';

/** What a module exports. */
function evaluate(script: ReturnType<typeof compileModule>): unknown {
  const module = { exports: {} };
  const body: ModuleBody = script.runInThisContext();
  body(module.exports, (name) => `module ${name}`, module, '/folder/file.cjs', '/folder');
  return module.exports;
}

describe('compileModule', () => {
  const text = "exports.all = [require('./other.cjs'), __filename, __dirname]; // no line end";

  it('makes a function of a module, which sees what modules see', () => {
    const exported = evaluate(compileModule('/folder/file.cjs', text));
    expect(exported).to.deep.equal({ all: ['module ./other.cjs', '/folder/file.cjs', '/folder'] });
  });

  it('takes code that was kept of the same text', () => {
    const code = compileModule('/built/file.cjs', text).createCachedData();
    const script = compileModule('/folder/file.cjs', text, code);
    expect(script.cachedDataRejected).to.equal(false);
    expect(evaluate(script)).to.deep.equal(evaluate(compileModule('/folder/file.cjs', text)));
  });

  it('refuses the code of another text, and compiles', () => {
    const code = compileModule('/folder/file.cjs', text).createCachedData();
    const script = compileModule('/folder/file.cjs', `${text} or more`, code);
    expect(script.cachedDataRejected).to.equal(true);
    expect(evaluate(script)).to.have.property('all');
  });
});

describe('codeFileOf', () => {
  it('names the file beside that of a module', () => {
    expect(codeFileOf('/dist/ctl/get.cjs')).to.equal('/dist/ctl/get.code');
  });
});
