import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import {
  conditionOf,
  definitionsPath,
  establish,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';

const group = 'lasting.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;

describe('definitions in a store', () => {
  it('are served with their objects from the first request after a restart', async () => {
    const directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    const first = await startTestServer({ flags });
    await establish(first.admin, widgetDefinition(group));
    const created = await first.admin.send('POST', path, { body: widget(group, 'a', { spec: { b: 1 } }) });
    await first.stop();

    const second = await startTestServer({ flags });
    try {
      expect((await second.admin.get(`${path}/a`)).text).to.equal(created.text);
      expect((await second.admin.get(`/apis/${group}`)).body.preferredVersion.version).to.equal('v1');
      const { body } = await second.admin.get(`${definitionsPath}/widgets.${group}`);
      expect(conditionOf(body, 'Established')?.status).to.equal('True');
      const watch = await second.admin.watch(path, {
        resourceVersion: created.body.metadata.resourceVersion,
      });
      await second.admin.create(path, widget(group, 'b'));
      await watch.take(1);
      expect(watch.events.map(({ type, object }) => [type, object.metadata.name])).to.deep.equal([
        ['ADDED', 'b'],
      ]);
      watch.close();
    } finally {
      await second.stop();
      await directory.remove();
    }
  });

  it('show objects that were stored without a generation as of the first', async () => {
    const directory = await makeTemporaryDirectory();
    const file = join(directory.path, 'store.db');
    const flags = [`--data-dir=${directory.path}`, `--storage=sqlite:${file}`];
    const first = await startTestServer({ flags });
    await establish(first.admin, widgetDefinition(group));
    await first.stop();
    {
      await using storage = await openSqliteStorage({ path: file, dialect: orchDialect.name });
      for (const [name, generation] of [
        ['null', null],
        ['none', undefined],
      ] as const) {
        const old = widget(group, name, {
          metadata: { name, namespace: 'default', generation, resourceVersion: '' },
        });
        await storage.create(`/registry/${group}/widgets/default/${name}`, Buffer.from(JSON.stringify(old)));
      }
    }

    const second = await startTestServer({ flags });
    try {
      for (const name of ['null', 'none'])
        expect((await second.admin.get(`${path}/${name}`)).body.metadata.generation).to.equal(1);
    } finally {
      await second.stop();
      await directory.remove();
    }
  });

  it('go on being deleted after a restart', async () => {
    const directory = await makeTemporaryDirectory();
    const flags = [`--data-dir=${directory.path}`];
    const first = await startTestServer({ flags });
    await establish(first.admin, widgetDefinition(group));
    const held = widget(group, 'held', { metadata: { name: 'held', finalizers: ['example.com/f'] } });
    await first.admin.create(path, held);
    await first.admin.send('DELETE', `${definitionsPath}/widgets.${group}`);
    await first.stop();

    const second = await startTestServer({ flags });
    try {
      const contentType = 'application/merge-patch+json';
      const watch = await second.admin.watch(definitionsPath);
      await second.admin.send('PATCH', `${path}/held`, {
        body: { metadata: { finalizers: null } },
        contentType,
      });
      await watch.until(
        () => watch.events.some(({ type }) => type === 'DELETED'),
        'the end of the definition',
      );
      watch.close();
      expect((await second.admin.get(path)).code).to.equal(404);
    } finally {
      await second.stop();
      await directory.remove();
    }
  });
});
