import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Schema } from '../../../src/apis/openapi/index.ts';
import {
  type OpenApiSchemas,
  packDefinitions,
  readDefinitions,
  shapeOf,
} from '../../../src/client/openapi/index.ts';
import { packV3Schemas } from '../../../src/client/openapi/schemas.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { establish, widgetDefinition } from '../../support/definitions.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const manifest = (container: string) => `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - ${container}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: after}
`;
const broken = manifest('{name: c, imagee: x, stdin: "yes"}');
describe("the server's OpenAPI document, and ctl", () => {
  let bench: CtlServer;
  before(async () => {
    bench = await startCtlServer();
  });
  after(() => bench.stop());

  for (const verb of ['create', 'apply', 'replace']) {
    it(`${verb} refuses a file whose fields are unknown or of a wrong type`, async () => {
      const { code, out, err } = await bench.ctl([verb, '-f', '-'], { stdin: broken });
      expect(code).to.equal(1);
      expect(out).to.equal('');
      expect(err).to.equal(
        'STDIN:6:15 spec.containers[0].imagee: unknown field; did you mean image?\n' +
          'STDIN:6:26 spec.containers[0].stdin: is text, must be true or false\n',
      );
    });
  }

  it('diff points at fields of a file that are unknown', async () => {
    const stdin = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  lables: {a: b}\n';
    const { code, out, err } = await bench.ctl(['diff', '-f', '-'], { stdin });
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    expect(err).to.equal('error: STDIN:5:3 metadata.lables: unknown field; did you mean labels?\n');
    expect((await bench.ctl(['diff', '-f', '-', '--exit-codes=reason'], { stdin })).code).to.equal(81);
    expect((await bench.ctl(['get', 'pod', 'lost', '--exit-codes', 'reason'])).code).to.equal(88);
  });

  it('tells what is wrong in all documents of all files at once, and sends nothing', async () => {
    await using folder = await makeTemporaryDirectory();
    const [first, second] = [`${folder.path}/a.yaml`, `${folder.path}/b.json`];
    const good = (name: string) =>
      `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${name}"}}`;
    await writeFile(
      first,
      `# several\n---\n${good('good-1')}\n---\napiVersion: v1\nkind: ConfigMap\ndta: {}\n---\n${good('good-2').replace('}}', ', "labels": {"a.b/c": yes}}}')}\n`,
    );
    await writeFile(second, `${good('good-3')} {"kind": "Pod", "apiVersion": "v1", "spec": []}`);
    const { code, out, err } = await bench.ctl(['apply', '-f', folder.path]);
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.equal(
      `${first}:7:1 dta: unknown field; did you mean data?\n` +
        `${first}:9:85 metadata.labels[a.b/c]: is true, must be text; quote it\n` +
        `${second}:1:111 spec: is a list, must be a map\n`,
    );
    expect((await bench.ctl(['get', 'configmap', '-o', 'name'])).out).not.to.include('good');
  });

  it('points at what the server refuses, or at what it should be in', async () => {
    const stdin = `# a deployment
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: refused, labels: {"a b": c}}
  spec:
    replicas: -1
    selector: {matchLabels: {a: b}}
    template: {metadata: {labels: {a: b}}, spec: {containers: [{name: x}]}}
`;
    for (const args of [['create'], ['apply'], ['apply', '--server-side']]) {
      const { code, out, err } = await bench.ctl([...args, '-f', '-'], { stdin });
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      const lines = err.split('\n').map((line) => line.replace(/(Invalid value: \S+).*/, '$1'));
      expect(lines).to.deep.equal([
        'The Deployment "refused" is invalid: ',
        '* STDIN:7:29 metadata.labels: Invalid value: "a',
        '* STDIN:9:5 spec.replicas: Invalid value: -1:',
        '* STDIN:11:64 spec.template.spec.containers[0].image: Required value',
        '',
      ]);
    }
  });

  it('creates nothing of a list when one item does not fit, and tells of all that do not', async () => {
    const map = (name: string, more: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}${more}}`;
    const items = [map('listed', ''), map('wrong', ', dta: {}'), '{kind: Pod}'];
    const stdin = `apiVersion: v1\nkind: List\nitems: [${items.join(', ')}]\n---\n${map('later', '')}\n`;
    const { code, out, err } = await bench.ctl(['create', '-f', '-'], { stdin });
    expect(code).to.equal(1);
    expect(out).to.equal('');
    expect(err).to.equal(
      'STDIN:3:129 items[1].dta: unknown field; did you mean data?\n' +
        'STDIN:3:139 items[2].apiVersion: is required, but missing\n',
    );
  });

  it('tells of names that YAML takes for other things', async () => {
    const stdin = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n}\n';
    const { code, out, err } = await bench.ctl(['create', '-f', '-'], { stdin });
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.equal('error: unable to decode "STDIN": metadata.name: expected a string, got false\n');
  });

  it('--validate=false leaves that to the server', async () => {
    const argv = ['create', '-f', '-', '--validate=false'];
    const { code, out } = await bench.ctl(argv, { stdin: manifest('{name: c, image: x, imagee: x}') });
    expect(code).to.equal(0);
    expect(out).to.equal('pod/p created\nconfigmap/after created\n');
  });

  it('explain shows fields, markers of required ones and descriptions', async () => {
    const { out, err } = await bench.ctl(['explain', 'deploy.spec.template.spec.containers']);
    expect(err).to.equal('');
    expect(out).to.match(/^KIND: {5}Deployment\nVERSION: {2}apps\/v1\n\nRESOURCE: containers <\[\]Object>\n/);
    expect(out).to.match(/\n {3}name\t<string> -required-\n {5}[A-Z][^\n]+\.\n/);
  });

  it('explain --search finds fields by a word, as explain takes them', async () => {
    const { out } = await bench.ctl(['explain', '--search=containerPort']);
    expect(out).to.equal('pods.spec.containers.ports.containerPort   Port of the container, 1 to 65535.\n');
    const all = (await bench.ctl(['explain', '--search=name'])).out.split('\n');
    expect(all).to.have.length(52);
    expect(all.at(-2)).to.match(/^\.\.\. and \d+ more$/);
    for (const line of all.slice(0, 50)) {
      const [path = ''] = line.split(' ');
      expect((await bench.ctl(['explain', path])).code, path).to.equal(0);
    }
    const inOne = (await bench.ctl(['explain', 'cj', '--search=schedule'])).out;
    expect(inOne).to.match(/^cj\.spec\.schedule +\S/);
    const none = await bench.ctl(['explain', 'cj', '--search=nowhere']);
    expect(none).to.deep.equal({
      code: 1,
      out: '',
      err: 'error: no field has "nowhere" in its name or description\n',
    });
  });

  it('explain --recursive shows the whole kind', async () => {
    const { out } = await bench.ctl(['explain', 'pods', '--recursive']);
    expect(out).to.include('\n   spec\t<Object>\n');
    expect(out).to.include('\n         livenessProbe\t<Object>\n            exec\t<Object>\n');
    expect(out.split('\n').length).to.be.greaterThan(500);
  });
});

describe('what our client reads from the documents of single versions', () => {
  it('is what it reads from the document of everything, for each definition', async () => {
    const server = await startTestServer();
    try {
      await establish(server.admin, widgetDefinition('read.example.com', { versions: [structured] }));
      const whole = readDefinitions(packDefinitions((await server.admin.get('/openapi/v2')).body));
      const { paths } = (await server.admin.get('/openapi/v3')).body;
      let count = 0;
      for (const { serverRelativeURL } of Object.values<JsonObject>(paths)) {
        const document = (await server.admin.get(serverRelativeURL)).body;
        const read = readDefinitions(packV3Schemas(document));
        for (const name of Object.keys(document.components.schemas)) {
          count++;
          expect(shapesOf(read, name), name).to.deep.equal(shapesOf(whole, name));
        }
      }
      expect(count).to.be.greaterThan(500);
    } finally {
      await server.stop();
    }
  });

  const structured = {
    name: 'v1',
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            required: ['size'],
            properties: {
              size: { type: 'integer', description: 'How many.' },
              port: { 'x-orch-int-or-string': true },
              names: { type: 'array', items: { type: 'string' } },
              more: { type: 'object', additionalProperties: { type: 'number' } },
            },
          },
        },
      },
    },
  };
  /** A definition as commands look at it: shapes and texts, however deep. */
  const shapesOf = (schemas: OpenApiSchemas, name: string): unknown => {
    const seen = (schema: Schema): unknown => {
      const shape = shapeOf(schema);
      const { description } = schema;
      switch (shape.kind) {
        case 'object':
          return {
            ...shape,
            description,
            fields: Object.entries(shape.fields).map(([key, field]) => [key, seen(field)]),
          };
        case 'map':
          return { ...shape, description, values: seen(shape.values) };
        case 'array':
          return { ...shape, description, items: seen(shape.items) };
        default:
          return { ...shape, description };
      }
    };
    const definition = schemas.definition(name);
    return definition && seen(definition);
  };
});
