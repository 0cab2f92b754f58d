import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import type { Discovery } from '../../../src/client/discovery/index.ts';
import type { RestClient, RestRequest } from '../../../src/client/rest/index.ts';
import type { ControllerContext } from '../../../src/controllers/controller.ts';
import { AbsentOwners } from '../../../src/controllers/garbage-collector/absent-owners.ts';
import { DependencyGraph } from '../../../src/controllers/garbage-collector/graph.ts';
import { Monitors } from '../../../src/controllers/garbage-collector/monitors.ts';
import { SharedInformers } from '../../../src/controllers/shared-informers.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { controllerSettings } from '../../support/controller-settings.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const resource = (name: string) => ({
  ...{ group: '', version: 'v1', name, singularName: '', kind: name, isNamespaced: true },
  ...{ verbs: ['delete', 'list', 'watch'], shortNames: [], categories: [], subresources: [] },
});
const discovery = (...names: string[]): Discovery => ({
  groups: [],
  resources: names.map(resource),
  failures: [],
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Monitors', () => {
  /** Monitors of a server whose discovery answers `answers` in turn; every list is empty. */
  function start(answers: (Discovery | Error)[]) {
    const end = new AbortController();
    const clock = new ManualClock();
    const log: string[] = [];
    const definition = Promise.withResolvers<void>();
    const client = {
      async json({ path, accept = '' }: RestRequest) {
        log.push(`list ${path} ${/as=\w+/.exec(accept)}`);
        return { metadata: { resourceVersion: '1' }, items: [] };
      },
      async stream({ path, signal }: RestRequest) {
        async function* chunks() {
          const ended = new Promise((resolve) => signal?.addEventListener('abort', resolve));
          if (path.endsWith('customresourcedefinitions')) {
            await Promise.race([definition.promise, ended]);
            const object = { metadata: { uid: 'u', resourceVersion: '2' } };
            yield Buffer.from(`${JSON.stringify({ type: 'ADDED', object })}\n`);
          }
          await ended;
        }
        return { status: 200, headers: {}, chunks: chunks(), close() {} };
      },
    } as unknown as RestClient; // nothing else is used
    const context: ControllerContext = {
      ...{ client, clock, dialect: orchDialect, logger: silentLogger },
      ...{ random: () => 0, signal: end.signal, migratedKinds: [] },
      informers: new SharedInformers(
        {
          client,
          clock,
          logger: silentLogger,
          random: () => 0,
          signal: end.signal,
        },
        orchDialect,
      ),
      settings: controllerSettings,
      discovery: {
        async read() {
          log.push(`discovery at ${clock.nowMs()}`);
          const answer = answers.shift();
          if (answer instanceof Error || answer === undefined) throw answer ?? new Error('no more');
          return answer;
        },
      },
    };
    const work = {
      checkDeletion() {},
      checkDeletionLater() {},
      orphanDependents() {},
      reportForeignOwner() {},
    };
    const monitors = new Monitors({
      context,
      graph: new DependencyGraph(work, new AbsentOwners()),
      onIncomplete: () => void log.push('incomplete'),
      onComplete: () => void log.push('complete'),
    });
    const running = monitors.run();
    const advance = async (byMs: number) => {
      await turn();
      clock.advance(byMs);
      await turn();
    };
    const stop = () => {
      end.abort();
      return running;
    };
    return { log, advance, changeDefinition: () => definition.resolve(), stop, clock };
  }

  it('asks for metadata only, and reads discovery again soon after a failure and now and then', async () => {
    const { log, advance, stop, clock } = start([new Error('no'), discovery('a'), discovery('a')]);
    await advance(1000);
    await advance(5 * 60_000);
    await stop();
    expect(log).to.deep.equal([
      ...['discovery at 0', 'discovery at 1000', 'incomplete'],
      ...['list /api/v1/a as=PartialObjectMetadataList', 'complete'],
      ...['discovery at 301000', 'complete'],
    ]);
    expect(clock.timerCount).to.equal(0);
  });

  it('follows what a new definition brings', async () => {
    const definitions = 'customresourcedefinitions';
    const { log, advance, changeDefinition, stop } = start([
      discovery(definitions),
      discovery(definitions, 'new'),
    ]);
    await turn();
    changeDefinition();
    await advance(200);
    await stop();
    expect(log.slice(4)).to.deep.equal([
      ...['discovery at 200', 'incomplete'],
      ...['list /api/v1/new as=PartialObjectMetadataList', 'complete'],
    ]);
  });
});
