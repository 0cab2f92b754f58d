import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  compileGoTemplate,
  ExecuteError,
  TemplateError,
  type Value,
} from '../../../../src/machinery/go-template/index.ts';

interface Case {
  readonly template: string;
  readonly text?: string;
  readonly error?: string;
}

// What the client of release 1.20 gives for the same templates.
const { data, cases } = JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8')) as {
  data: Value;
  cases: Case[];
};

describe('Go templates', () => {
  for (const { template, text, error } of cases) {
    it(`give for ${template} ${error === undefined ? 'its text' : 'its error'}`, () => {
      const run = () => compileGoTemplate(template, { allowsMissing: true }).execute(data);
      if (error === undefined) expect(run()).to.equal(text);
      else expect(run).to.throw(Error).with.property('message', error);
    });
  }

  it('refuse what is missing when asked to', () => {
    const run = (template: string) => () =>
      compileGoTemplate(template, { allowsMissing: false }).execute(data);
    expect(run('{{.metadata.nope}}')).to.throw(
      'template: output:1:11: executing "output" at <.metadata.nope>: map has no entry for key "nope"',
    );
    expect(run('{{.metadata.name}}')()).to.equal('web');
  });

  it('point to the line and column of an error in a long template', () => {
    const run = () => compileGoTemplate('a\nb {{"x"}}\n  {{.kind.x}}', { allowsMissing: true }).execute(data);
    expect(run).to.throw('template: output:3:9: executing "output" at <.kind.x>');
  });

  it('end in templates that call themselves', () => {
    const template = '{{define "t"}}{{template "t" .}}{{end}}{{template "t" .}}';
    const run = () => compileGoTemplate(template, { allowsMissing: true }).execute(data);
    expect(run).to.throw(ExecuteError, 'exceeded maximum template depth');
  });

  it('fail in no other way, whatever they are', () => {
    const pieces = [
      '{{',
      '}}',
      '{{-',
      '-}}',
      ' ',
      '.',
      '$x',
      ':=',
      '=',
      '|',
      '(',
      ')',
      '"a"',
      "'b'",
      '`c`',
      '1',
      '-2.5',
      'if',
      'else',
      'end',
      'range',
      'with',
      'define',
      'template',
      'block',
      'break',
      'index',
      'len',
      'printf',
      'eq',
      'slice',
      '.metadata',
      '.spec.template',
      '/*',
      '*/',
      ',',
      '%d',
      'nil',
      'true',
      '\\',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 14 }),
        (parts) => {
          try {
            compileGoTemplate(parts.join(''), { allowsMissing: true }).execute(data);
          } catch (error) {
            if (!(error instanceof TemplateError) && !(error instanceof ExecuteError)) throw error;
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
