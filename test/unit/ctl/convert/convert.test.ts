import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { run } from '../support/run.ts';

const replicaSet = (name: string, apiVersion = 'apps/v1beta2') => `apiVersion: ${apiVersion}
kind: ReplicaSet
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}
`;
const lease = (name: string, apiVersion = 'coordination.orch.io/v1beta1') =>
  `{"apiVersion":"${apiVersion}","kind":"Lease","metadata":{"name":"${name}"}}`;

const convert = (stdin: string, ...args: string[]) => run(['convert', '-f', '-', ...args], { stdin });

describe('ctl convert', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-convert-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads files and folders in order, deeper ones with -R', async () => {
    mkdirSync(join(folder, 'b'));
    writeFileSync(join(folder, 'a.yaml'), `${replicaSet('one')}---\n${replicaSet('two')}`);
    writeFileSync(join(folder, 'b', 'x.json'), lease('three'));
    writeFileSync(join(folder, 'c.yml'), replicaSet('four'));
    const names = async (...args: string[]) =>
      (await run(['convert', '-f', folder, '-o', 'name', ...args])).out;
    expect(await names()).to.equal('replicaset.apps/one\nreplicaset.apps/two\nreplicaset.apps/four\n');
    expect((await names('-R')).split('\n')).to.deep.equal([
      'replicaset.apps/one',
      'replicaset.apps/two',
      'lease.coordination.orch.io/three',
      'replicaset.apps/four',
      '',
    ]);
  });

  it('writes one JSON value, a list where there are several documents', async () => {
    const one = await convert(lease('a'), '-o', 'json');
    expect(JSON.parse(one.out)).to.deep.equal({
      apiVersion: 'coordination.orch.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
    });
    const list = `{"apiVersion":"v1","kind":"List","items":[${lease('b')},${lease('c')}]}`;
    const several = await convert(`${lease('a')}\n${list}`, '-o', 'json');
    const { apiVersion, kind, items } = JSON.parse(several.out);
    expect({ apiVersion, kind }).to.deep.equal({ apiVersion: 'v1', kind: 'List' });
    expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).to.deep.equal([
      'a',
      'b',
      'c',
    ]);
  });

  it('separates YAML documents, and writes none for empty ones', async () => {
    const { out } = await convert(
      `---\n# nothing\n---\n${replicaSet('a')}---\nnull\n---\n${replicaSet('b')}`,
    );
    expect(out.match(/^---$/gm)).to.have.length(1);
    expect(out.match(/^apiVersion: apps\/v1$/gm)).to.have.length(2);
    expect(await convert('')).to.deep.equal({ code: 0, out: '', err: '' });
  });

  it('makes a list of anything where items of one kind end in several versions', async () => {
    const items = [lease('a'), lease('b', 'coordination.orch.io/v1'), '{"metadata":{"name":"c"}}'];
    const text = `{"apiVersion":"coordination.orch.io/v1beta1","kind":"LeaseList","items":[${items}]}`;
    const same = JSON.parse((await convert(text, '-o', 'json')).out);
    expect(same).to.include({ apiVersion: 'coordination.orch.io/v1', kind: 'LeaseList' });
    expect(same.items[2]).to.deep.equal({ metadata: { name: 'c' } });
    const mixed = text.replace('coordination.orch.io/v1"', 'example.com/v1"');
    const other = JSON.parse((await convert(mixed, '-o', 'json')).out);
    expect(other).to.include({ apiVersion: 'v1', kind: 'List' });
    expect(other.items.map(({ apiVersion }: { apiVersion: string }) => apiVersion)).to.deep.equal([
      'coordination.orch.io/v1',
      'example.com/v1',
      'coordination.orch.io/v1',
    ]);
  });

  it('names what items of lists of one kind are, which leave that out', async () => {
    const backend = { backend: { serviceName: 's', servicePort: 80 } };
    const list = {
      apiVersion: 'extensions/v1beta1',
      kind: 'IngressList',
      metadata: { resourceVersion: '7' },
      items: [
        { metadata: { name: 'a' }, spec: backend },
        { metadata: { name: 'b' }, spec: backend },
      ],
    };
    const within = { apiVersion: 'v1', kind: 'List', items: [list] };
    for (const document of [list, within]) {
      const { code, out } = await convert(JSON.stringify(document), '-o', 'name');
      expect({ code, out }).to.deep.equal({
        code: 0,
        out: 'ingress.networking.orch.io/a\ningress.networking.orch.io/b\n',
      });
    }
  });

  it('names objects without metadata', async () => {
    const review = 'apiVersion: authorization.orch.io/v1beta1\nkind: SubjectAccessReview\nspec: {user: u}\n';
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ok}\n';
    const { code, out } = await convert([map, review, map].join('---\n'), '-o', 'name');
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: 'configmap/ok\nsubjectaccessreview.authorization.orch.io/<unknown>\nconfigmap/ok\n',
    });
  });

  it('sends kinds that the version lacks to their replacement, with a note that --strict lets pass', async () => {
    const text = `${replicaSet('a', 'extensions/v1beta1')}---\n${lease('b')}`;
    const args = ['--output-version=apps/v1beta1', '-o', 'name'];
    const { code, out, err } = await convert(text, ...args);
    expect({ code, out }).to.deep.equal({
      code: 0,
      out: 'replicaset.apps/a\nlease.coordination.orch.io/b\n',
    });
    expect(err).to.match(
      /^Note: STDIN:1:1 replicaset.extensions\/a: apps\/v1beta1 has no ReplicaSet; converted to apps\/v1$/m,
    );
    expect((await convert(lease('b'), ...args, '--strict')).code).to.equal(0);
  });

  it('leaves alone what the version lacks and nothing replaces', async () => {
    const text =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"b"},"colour":"red"}';
    const { out, err } = await convert(text, '--output-version=apps/v1', '-o', 'json');
    expect(JSON.parse(out)).to.deep.equal(JSON.parse(text));
    expect(err).to.equal(
      'Warning: STDIN:1:80 colour: unknown field\n' +
        'Note: STDIN:1:1 configmap/m: apps/v1 has no ConfigMap; it stays in v1\n',
    );
  });

  it('prints with templates, which get a list where there are several objects', async () => {
    const one = await convert(replicaSet('a'), '--output-version=apps/v1', '--template={{.metadata.name}}:');
    expect(one).to.deep.include({ code: 0, out: 'a:' });
    const paths = ['-o', 'jsonpath={.items[*].apiVersion}'];
    const two = await convert(
      `${replicaSet('a')}---\n${replicaSet('b')}`,
      '--output-version=apps/v1',
      ...paths,
    );
    expect(two).to.deep.include({ code: 0, out: 'apps/v1 apps/v1' });
    const strict = await convert(
      replicaSet('a'),
      '-o',
      'jsonpath={.x}',
      '--allow-missing-template-keys=false',
    );
    expect(strict).to.deep.include({ code: 1, out: '' });
  });

  it('refuses with --validate what a server would refuse, and unknown fields', async () => {
    const bad = replicaSet('a').replace('a: b}}, spec', 'a: c}}, spec');
    const { code, out, err } = await convert(bad, '--validate');
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.include('spec.template.metadata.labels: apps/v1 refuses this: Invalid value');
    expect((await convert(bad)).code).to.equal(0);
    expect((await convert(replicaSet('a').replace('spec:', 'spic: {}\nspec:'), '--validate')).code).to.equal(
      1,
    );
    expect((await convert(replicaSet('a'), '--validate')).code).to.equal(0);
    // What only needs attention is no reason to refuse.
    expect((await convert(replicaSet('a', 'extensions/v1beta1'), '--validate')).code).to.equal(0);
  });

  const failures: [what: string, text: string, args: string[], error: RegExp][] = [
    ['no file', '', ['convert'], /must specify --filename/],
    ['an argument', '', ['convert', 'x', '-f', '-'], /unexpected argument "x"/],
    [
      'a version that no kind has',
      '',
      ['--output-version=apps/v9'],
      /no built-in kind has the version "apps\/v9"/,
    ],
    ['a format that there is not', '', ['-o', 'wide'], /unable to match a printer .*"wide"/],
    ['a document that is no object', '- 1\n- 2', [], /STDIN:1:1 must be an object/],
    ['no version', 'kind: Pod', [], /STDIN:1:1 Object 'apiVersion' is missing/],
    ['no kind', 'apiVersion: v1', [], /STDIN:1:1 Object 'Kind' is missing/],
    [
      'metadata that is no map',
      'apiVersion: v1\nkind: Pod\nmetadata: x',
      [],
      /STDIN:3:1 metadata: is "x", must be a map/,
    ],
    // The end of a text counts as a line of its own, as go-yaml counts.
    ['text that is no YAML', 'a: [', [], /STDIN:2:1 did not find expected/],
    [
      'a field of the wrong type',
      replicaSet('a').replace('spec:', 'spec:\n  replicas: many'),
      [],
      /STDIN:5:3 spec.replicas: is "many", must be an integer/,
    ],
    [
      'a number that its field cannot hold',
      replicaSet('a').replace('spec:', 'spec:\n  replicas: 9007199254740993'),
      [],
      /STDIN:5:3 spec.replicas: is 9007199254740993, must be an integer of 32 bits/,
    ],
    [
      'an annotation that stands for no number',
      replicaSet('a', 'apps/v1')
        .replace('ReplicaSet', 'DaemonSet')
        .replace('{name: a}', '{name: a, annotations: {deprecated.daemonset.template.generation: x}}'),
      ['--output-version=extensions/v1beta1'],
      /daemonset.apps\/a: metadata.annotations\[deprecated.daemonset.template.generation\]: not an integer: "x"/,
    ],
    [
      'an item that is no object',
      '{"apiVersion":"v1","kind":"PodList","items":[5]}',
      [],
      /STDIN:1:46 items\[0\]: must be an object/,
    ],
    [
      'an item that is a large number',
      '{"apiVersion":"v1","kind":"PodList","items":[12345678901234567890]}',
      [],
      /STDIN:1:46 items\[0\]: must be an object/,
    ],
    [
      'lists of one kind that lie too deep',
      `{"apiVersion":"v1","kind":"Pod${'List'.repeat(20)}","items":[${'{"items":['.repeat(19)}${']}'.repeat(20)}`,
      [],
      /lists lie deeper than 8/,
    ],
    [
      'lists that lie too deep',
      '{"apiVersion":"v1","kind":"List","items":['.repeat(20) + ']}'.repeat(20),
      [],
      /lists lie deeper than 8/,
    ],
  ];
  for (const [what, text, args, error] of failures) {
    it(`fails on ${what}, and prints nothing`, async () => {
      const argv = args[0] === 'convert' ? args : ['convert', '-f', '-', ...args];
      const { code, out, err } = await run(argv, { stdin: text });
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(error);
    });
  }

  it('prints nothing when one of several objects fails', async () => {
    const { code, out, err } = await convert(`${replicaSet('a')}---\nkind: Pod\n---\n${replicaSet('b')}`);
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.equal("error: STDIN:8:1 Object 'apiVersion' is missing\n");
  });

  it('says where all that does not fit stands, of all objects', async () => {
    const text = `# a web
apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: web}
spec:
  replicas: two
  template:
    spec:
      contaners: []
      containers:
      - name: web
        ports:
        - containerPort: x
        resources: {limits: {cpu: [1], memory: 7}}
---
kind: Deployment
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: s, labels: {a: yes}}, data: {k: "!"}}
- 5
`;
    const { code, out, err } = await convert(text);
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err.split('\n')).to.deep.equal([
      'STDIN:6:3 spec.replicas: is "two", must be an integer',
      'STDIN:9:7 spec.template.spec.contaners: unknown field; did you mean containers?',
      'STDIN:13:11 spec.template.spec.containers[0].ports[0].containerPort: is "x", must be an integer',
      'STDIN:14:30 spec.template.spec.containers[0].resources.limits.cpu: is [1], must be a quantity, such as 500m',
      "STDIN:16:1 Object 'apiVersion' is missing",
      'STDIN:21:63 items[0].metadata.labels.a: is true, must be text',
      'STDIN:21:80 items[0].data.k: is "!", must be text in base64',
      'STDIN:22:3 items[1]: must be an object',
      '',
    ]);
  });

  it('says of unknown fields that they are lost, or fails with --validate', async () => {
    const text =
      'apiVersion: extensions/v1beta1\nkind: ReplicaSet\nmetadata: {name: a}\nspec: {replcas: 3}\n';
    const what = 'STDIN:4:8 spec.replcas:';
    const field = 'unknown field; did you mean replicas?\n';
    expect((await convert(text)).err).to.include(`Warning: ${what} lost: ${field}`);
    expect((await convert(text, '--output-version=extensions/v1beta1')).err).to.equal(
      `Warning: ${what} ${field}`,
    );
    expect((await convert(text, '--validate')).err).to.match(/^STDIN:4:8 spec.replcas: unknown field/m);
    const { err } = await convert(text.replace('replcas: 3', 'replicas: x'), '--errors=json');
    expect(JSON.parse(err)).to.deep.include({
      reason: 'Invalid',
      places: [{ file: 'STDIN', line: 4, column: 8 }],
    });
  });

  it('knows the names of the other dialect', async () => {
    const { spell } = createDialect('kubernetes');
    const manifest = (file: string) =>
      spell(readFileSync(new URL(`./manifests/ingress-extensions/${file}`, import.meta.url), 'utf8'));
    const { out, err } = await convert(manifest('input.yaml'), '--dialect=kubernetes');
    expect({ out, err }).to.deep.equal({ out: manifest('output.txt'), err: manifest('notices.txt') });
  });

  describe('tells of keys that stand twice', () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n';
    const cases: [what: string, text: string, path: string, line: number, column: number][] = [
      ['in YAML', `${map}data:\n  a: b\n  a: c\n`, 'data.a', 6, 3],
      ['in a later document', `# one\n${map}---\n\n${map}data: {a: b, a: c}\n`, 'data.a', 10, 14],
      [
        'in JSON',
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},\n"data":{"a":"b",\n"a":"c"}}',
        'data.a',
        3,
        1,
      ],
      [
        'in later JSON',
        `\n${lease('x', 'coordination.orch.io/v1')}\n {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"x/y":"b","x\\/y" : "{"}}`,
        'data[x/y]',
        3,
        82,
      ],
    ];
    for (const [what, text, path, line, column] of cases) {
      it(what, async () => {
        const told = `STDIN:${line}:${column} configmap/m: ${path}: lost what stands above line ${line}: there the key comes again\n`;
        const { code, err } = await convert(text);
        expect({ code, err }).to.deep.equal({ code: 0, err: `Warning: ${told}` });
        expect(await convert(text, '--strict')).to.deep.equal({ code: 1, out: '', err: `error: ${told}` });
      });
    }
  });

  it('adds nothing to objects of unknown kinds, in lists either', async () => {
    const bare = { apiVersion: 'example.com/v1', kind: 'Thing', spec: { a: 1 } };
    const empty = { apiVersion: 'example.com/v1', kind: 'WaitList', items: null };
    const list = { apiVersion: 'example.com/v1', kind: 'ThingList', items: [{ spec: { a: 1 } }] };
    for (const object of [bare, empty, list, { apiVersion: 'v1', kind: 'List', items: [bare] }]) {
      const { out } = await convert(JSON.stringify(object), '-o', 'json');
      expect(JSON.parse(out)).to.deep.equal(object);
    }
  });

  it('takes lists without items for empty ones', async () => {
    const beta = 'extensions/v1beta1';
    for (const [apiVersion, kind] of [
      ['v1', 'List'],
      ['v1', 'PodList'],
      [beta, 'IngressList'],
    ]) {
      for (const items of [{}, { items: null }, { items: [] }]) {
        const { out, err } = await convert(JSON.stringify({ apiVersion, kind, ...items }), '-o', 'json');
        expect({ object: JSON.parse(out), err }).to.deep.equal({
          object: { apiVersion, kind, items: [] },
          err: '',
        });
      }
    }
  });

  it('keeps the digits of large numbers', async () => {
    const text =
      '{"apiVersion":"example.com/v1","kind":"Thing","spec":{"a":9007199254740993,"b":[18446744073709551615]}}';
    const json = await convert(text, '-o', 'json');
    expect(json.out).to.include('"a": 9007199254740993').and.to.include('18446744073709551615');
    expect((await convert(text)).out)
      .to.include('a: 9007199254740993')
      .and.to.include('18446744073709551615');
    expect((await convert(json.out, '-o', 'json')).out).to.equal(json.out);
  });

  it('keeps a number beyond all doubles', async () => {
    const text = '{"apiVersion":"example.com/v1","kind":"Thing","spec":{"a":1e400}}';
    expect((await convert(text, '-o', 'json')).out).to.include('"a": 1e400');
  });

  it('keeps an unknown field at the top whose name is special to the language, or says that it is lost', async () => {
    const text = (version: string) =>
      `{"apiVersion":"${version}","kind":"Lease","metadata":{"name":"m"},"__proto__":{"x":"y"}}`;
    const kept = await convert(text('coordination.orch.io/v1'), '-o', 'json');
    expect(kept.out).to.include('"__proto__": {\n        "x": "y"');
    expect(kept.err).to.include('__proto__: unknown field');
    const lost = await convert(text('coordination.orch.io/v1beta1'), '-o', 'json');
    expect(lost.out).not.to.include('__proto__');
    expect(lost.err).to.include('__proto__: lost: unknown field');
  });

  it('keeps keys that are special to the language', async () => {
    const text =
      '{"apiVersion":"apps/v1beta2","kind":"ReplicaSet","metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"spec":{"selector":{"matchLabels":{"__proto__":"x"}},"template":{"metadata":{"labels":{"__proto__":"x"}},"spec":{"containers":[]}}}}';
    const { out } = await convert(text, '-o', 'json');
    expect(out).to.include('"__proto__": "x"').and.to.include('"constructor": "y"');
  });
});
