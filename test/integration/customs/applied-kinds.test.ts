import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { establish, openVersion, widgetDefinition } from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const size = { type: 'object', properties: { size: { type: 'integer' } } };
const definitionOf = (group: string, schema: JsonObject): JsonObject =>
  widgetDefinition(group, { versions: [openVersion('v1', { schema: { openAPIV3Schema: schema } })] });

const told = 'typed.example.com';
const either = { type: 'object', properties: { size: { 'x-orch-int-or-string': true } } };
/** Release 1.20 can make no models of a definition with numbers that may be texts, so that it knows no types of it. */
const deduced = 'deduced.example.com';
const gadgets = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };

/** What a configuration says, to whom, and what is answered. */
const rows: readonly (readonly [group: string, config: JsonObject, code: number, message: RegExp])[] = [
  [
    told,
    { kind: 'WidgetList', items: [] },
    500,
    /^failed to merge config: expected objects of the same type/,
  ],
  [told, { kind: 'Gadget', metadata: { name: 'w' } }, 500, /no corresponding type for .*\/v1, Kind=Gadget$/],
  [told, { kind: 'Unknown', metadata: { name: 'w' } }, 500, /no corresponding type for .*, Kind=Unknown$/],
  [deduced, { kind: 'WidgetList', items: [] }, 400, /^the name of the object \(w based on URL\) was undet/],
  [
    deduced,
    { kind: 'Unknown', metadata: { name: 'x' } },
    400,
    /^the name of the object \(x\) does not match/,
  ],
  [
    deduced,
    { kind: 'Unknown', metadata: { name: 'w' } },
    422,
    /kind: Invalid value: "Unknown": must be Widget$/,
  ],
  [deduced, { kind: 'Widget', metadata: { name: 'w' } }, 201, /^$/],
];

describe('configurations of another kind than the resource', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await establish(server.admin, definitionOf(told, size));
    const { spec } = definitionOf(told, size);
    const other = { ...definitionOf(told, size), spec: { ...spec, names: gadgets } };
    await establish(server.admin, { ...other, metadata: { name: `gadgets.${told}` } });
    await establish(server.admin, definitionOf(deduced, either));
  });
  after(() => server.stop());

  for (const [group, config, code, message] of rows) {
    it(`${JSON.stringify(config)} in ${group}: ${code}`, async () => {
      const path = `/apis/${group}/v1/namespaces/default/widgets/w?fieldManager=m&dryRun=All`;
      const body = { apiVersion: `${group}/v1`, ...config };
      const contentType = 'application/apply-patch+yaml';
      const answer = await server.admin.send('PATCH', path, { body, contentType });
      expect(answer.code, answer.text).to.equal(code);
      expect(answer.body.message ?? '').to.match(message);
    });
  }
});
