import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

describe('ctl with Go templates', () => {
  let server: CtlServer;
  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    await server.ctl(['create', 'configmap', 'c', '--from-literal=k=v']);
  });
  after(() => server.stop());

  const get = async (...flags: string[]) => {
    const { code, out, err } = await server.ctl(['get', 'configmap', 'c', ...flags]);
    return { code, out, err };
  };

  for (const [what, flags] of [
    ['-o go-template=', ['-o', 'go-template={{.data.k}}']],
    ['-o template=', ['-o', 'template={{.data.k}}']],
    ['-o go-template --template', ['-o', 'go-template', '--template={{.data.k}}']],
    ['--template alone', ['--template', '{{.data.k}}']],
    ['-o jsonpath --template', ['-o', 'jsonpath', '--template={.data.k}']],
  ] as const) {
    it(`takes the template from ${what}`, async () => {
      expect(await get(...flags)).to.deep.equal({ code: 0, out: 'v', err: '' });
    });
  }

  it('takes it from a file', async () => {
    const file = join(server.folder, 'template.txt');
    writeFileSync(file, '{{range $k, $v := .data}}{{$k}}={{$v}}{{end}}');
    expect((await get('-o', `go-template-file=${file}`)).out).to.equal('k=v');
    expect((await get('-o', 'templatefile', '--template', file)).out).to.equal('k=v');
    expect((await get('-o', 'go-template-file=/no/such')).err).to.contain(
      'error reading --template /no/such',
    );
  });

  it('prints lists by their items, and what a change made', async () => {
    const { out } = await server.ctl([
      'get',
      'configmaps',
      '-o',
      'go-template={{range .items}}{{.metadata.name}},{{end}}',
    ]);
    expect(out).to.equal('c,');
    const labeled = await server.ctl([
      'label',
      'configmap',
      'c',
      'a=b',
      '-o',
      'go-template={{.metadata.labels.a}}',
    ]);
    expect(labeled.out).to.equal('b');
  });

  it('shows what helps to mend a template that does not fit', async () => {
    const { code, out, err } = await get('-o', 'go-template=x{{.data.k.y}}');
    const problem = `template: output:1:8: executing "output" at <.data.k.y>: can't evaluate field y in type interface {}`;
    expect(code).to.equal(1);
    expect(out).to.contain(`xError executing template: ${problem}. Printing more information`);
    expect(out).to.contain(
      '\tobject given to template engine was:\n\t\tmap[apiVersion:v1 data:map[k:v] kind:ConfigMap',
    );
    expect(err).to.equal(`error: error executing template "x{{.data.k.y}}": ${problem}\n`);
    expect((await get('-o', 'go-template={{')).err).to.equal(
      'error: error parsing template {{, template: output:1: unclosed action\n',
    );
    expect(
      (await get('-o', 'go-template', '--allow-missing-template-keys=false', '--template={{.nope}}')).err,
    ).to.contain('map has no entry for key "nope"');
  });
});
