import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import {
  definitionsPath,
  establish,
  openVersion,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { createRandomSource, type RandomSource } from '../../support/random-source.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { testSeed } from '../../support/test-seed.ts';
import { startTestServer } from '../../support/test-server.ts';

const group = 'forms.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;
const laterPath = path.replace('/v1/', '/v2/');
const objectCount = 6;
const merge = 'application/merge-patch+json';

/** Versions of a definition, which differ in what they know and which defaults they set. */
const shapes: readonly JsonObject[] = [
  { type: 'object', 'x-orch-preserve-unknown-fields': true },
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          mode: { type: 'string', default: 'A' },
          list: { type: 'array', items: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
        },
      },
    },
  },
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', default: 7 },
          zone: { type: 'string', default: 'z', nullable: true },
          inner: { type: 'object', 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true },
        },
      },
    },
  },
];

const schemaOf = (shape: JsonObject): JsonObject => ({ schema: { openAPIV3Schema: shape } });
const versionsOf = (shape: JsonObject): JsonObject[] => [
  openVersion('v1', schemaOf(shape)),
  openVersion('v2', { storage: false }),
];

function randomSpec(random: RandomSource): JsonObject {
  const spec: JsonObject = {};
  if (random.below(2) === 0) spec.size = random.below(5);
  if (random.below(2) === 0) spec.mode = random.pick(['A', 'B']);
  if (random.below(3) === 0) spec.zone = random.pick(['y', null]);
  if (random.below(3) === 0) spec.list = [{ z: 1, a: random.below(9) }, { b: null }];
  if (random.below(4) === 0) spec.big = 9_007_199_254_740_991;
  if (random.below(3) === 0)
    spec.inner = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'inner', labels: { b: 'b', a: 'a' } } };
  return spec;
}

/** One write of a random kind; a refusal is as good as any. */
async function writeAtRandom(admin: ApiClient, random: RandomSource): Promise<void> {
  const name = `object-${random.below(objectCount)}`;
  const at = `${random.pick([path, path, laterPath])}/${name}`;
  const metadata = { annotations: { note: String(random.below(4)) }, labels: { b: '1', a: '2' } };
  switch (random.below(4)) {
    case 0:
      await admin.send('PATCH', at, { contentType: merge, body: { metadata } });
      return;
    case 1:
      await admin.send('PATCH', at, { contentType: merge, body: { spec: randomSpec(random) } });
      return;
    case 2: {
      const body = { ...widget(group, name), metadata: { name, ...metadata }, spec: randomSpec(random) };
      await admin.send('PUT', `${path}/${name}`, { body });
      return;
    }
    default: {
      const body = { ...widget(group, name), spec: randomSpec(random) };
      await admin.send('PATCH', `${path}/${name}?fieldManager=other&force=true`, {
        contentType: 'application/apply-patch+yaml',
        body,
      });
    }
  }
}

/** Changes what the definition says, and waits until that holds. */
async function reshape(admin: ApiClient, shape: JsonObject, mark: number): Promise<void> {
  const at = `${definitionsPath}/widgets.${group}`;
  const columns = [{ name: `Column${mark}`, type: 'string', jsonPath: '.spec.mode' }];
  const [v1, ...others] = versionsOf(shape);
  const versions = [{ ...v1, additionalPrinterColumns: columns }, ...others];
  const { body } = await admin.send('PATCH', at, { contentType: merge, body: { spec: { versions } } });
  expect(body.spec.versions[0].schema.openAPIV3Schema.type, JSON.stringify(body)).to.equal('object');
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' };
  await eventually(async () => {
    const table = await admin.get(`${path}?limit=1`, accept);
    return table.body.columnDefinitions.some((column: JsonObject) => column.name === `Column${mark}`);
  });
}

async function fill(admin: ApiClient, random: RandomSource): Promise<void> {
  await establish(admin, widgetDefinition(group, { versions: versionsOf(shapes[0] ?? {}) }));
  for (let index = 0; index < objectCount; index++)
    await admin.create(path, widget(group, `object-${index}`, { spec: randomSpec(random) }));
}

async function textsOf(admin: ApiClient): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let index = 0; index < objectCount; index++) {
    for (const at of [path, laterPath]) texts.push((await admin.get(`${at}/object-${index}`)).text);
  }
  return texts;
}

describe('custom resources in a store', () => {
  it('are the same to who wrote them and to who only reads them, whatever the definition has become', async () => {
    const random = createRandomSource(testSeed);
    const directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    let written: readonly string[] | undefined;
    try {
      for (let round = 0; round < 5; round++) {
        const server = await startTestServer({ flags });
        try {
          const { admin } = server;
          if (written === undefined) await fill(admin, random);
          // What this process only reads is what the one before wrote.
          else expect(await textsOf(admin)).to.deep.equal(written);
          for (let count = 0; count < 15; count++) await writeAtRandom(admin, random);
          await reshape(admin, shapes[round % shapes.length] ?? {}, round);
          for (let count = 0; count < 2; count++) await writeAtRandom(admin, random);
          written = await textsOf(admin);
        } finally {
          await server.stop();
        }
      }
    } finally {
      await directory.remove();
    }
  });

  it('are written by a change of metadata as by any other', async () => {
    const directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    const first = await startTestServer({ flags });
    await establish(first.admin, widgetDefinition(group, { versions: versionsOf(shapes[1] ?? {}) }));
    const spec = { size: 1, list: [{ z: 1, a: 2 }] };
    await first.admin.create(path, widget(group, 'a', { spec, ignored: 1 }));
    const note = { metadata: { annotations: { note: 'changed' } } };
    const changed = await first.admin.send('PATCH', `${path}/a`, { contentType: merge, body: note });
    expect(changed.body.spec).to.deep.equal({ list: [{ a: 2, z: 1 }], mode: 'A', size: 1 });
    await first.stop();

    const second = await startTestServer({ flags });
    try {
      // An update that changes no byte of what is stored writes nothing.
      const same = await second.admin.send('PUT', `${path}/a`, { body: changed.body });
      expect(same.text).to.equal(changed.text);
    } finally {
      await second.stop();
      await directory.remove();
    }
  });
});
