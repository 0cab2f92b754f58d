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
const prefix = 'error: error validating "STDIN": error validating data: ';
const advice = '; if you choose to ignore these errors, turn validation off with --validate=false';
const place = 'ValidationError(Pod.spec.containers[0]';
const errors = [
  `${place}): unknown field "imagee" in io.orch.api.core.v1.Container`,
  `${place}.stdin): invalid type for io.orch.api.core.v1.Container.stdin: got "string", expected "boolean"`,
];

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
      expect(err).to.equal(`${prefix}[${errors.join(', ')}]${advice}\n`);
    });
  }

  it('creates nothing of a list when one item does not fit, and tells of all that do not', async () => {
    const map = (name: string, more: string) =>
      `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}${more}}`;
    const items = [map('listed', ''), map('wrong', ', dta: {}'), '{kind: Pod}'];
    const stdin = `apiVersion: v1\nkind: List\nitems: [${items.join(', ')}]\n---\n${map('later', '')}\n`;
    const { code, out, err } = await bench.ctl(['create', '-f', '-'], { stdin });
    expect(code).to.equal(1);
    expect(out).to.equal('');
    const unknown = 'ValidationError(ConfigMap): unknown field "dta" in io.orch.api.core.v1.ConfigMap';
    expect(err).to.equal(`${prefix}[${unknown}, apiVersion not set]${advice}\n`);
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
