import { expect } from 'chai';
import { keepFlowSchemas } from '../../../src/app/keep-flow-schemas.ts';
import { silentLogger } from '../../../src/base/index.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { TestRegistry } from '../../support/registry.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const group = 'flowcontrol.apiserver.orch.io/v1beta1';
const schemas = `${group}/flowschemas`;
const levels = `${group}/prioritylevelconfigurations`;

const schema = (name: string, level: string): JsonObject => ({
  metadata: { name },
  spec: { matchingPrecedence: 100, priorityLevelConfiguration: { name: level } },
});
const level = (name: string): JsonObject => ({
  metadata: { name },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
});

describe('keepFlowSchemas', () => {
  let registry: TestRegistry;
  let end: () => Promise<void>;
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
    const ending = new AbortController();
    const served = new Map([schemas, levels].map((path) => [path, registry.served(path)] as const));
    const clock = new ManualClock();
    const { signal } = ending;
    const done = keepFlowSchemas({ stores: { served }, dialect, clock, logger: silentLogger, signal });
    end = async () => {
      ending.abort();
      await done;
    };
  });
  afterEach(async () => {
    await end();
    await registry[Symbol.asyncDispose]();
  });

  const conditionOf = async (name: string): Promise<JsonObject | undefined> =>
    (await registry.stored(schemas, name))?.status.conditions?.[0];
  const becomes = (name: string, wanted: string): Promise<true> =>
    eventually(async () => {
      const { type, status, reason } = (await conditionOf(name)) ?? {};
      return `${type} ${status} ${reason}` === wanted ? true : undefined;
    });

  it('follows the priority level that a schema names, as it comes, goes and is changed', async () => {
    await registry.create(schemas, schema('s', 'l'));
    await becomes('s', 'Dangling True NotFound');
    await registry.create(levels, level('l'));
    await becomes('s', 'Dangling False Found');
    expect((await conditionOf('s'))?.message).to.equal(
      'This FlowSchema references the PriorityLevelConfiguration object named "l" and it exists',
    );
    await registry.change(schemas, 's', ({ spec }) => {
      spec.priorityLevelConfiguration.name = 'other';
    });
    await becomes('s', 'Dangling True NotFound');
    await registry.change(schemas, 's', ({ spec }) => {
      spec.priorityLevelConfiguration.name = 'l';
    });
    await becomes('s', 'Dangling False Found');
    await registry.remove(levels, 'l');
    await becomes('s', 'Dangling True NotFound');
  });

  it('owns the condition, and writes it once', async () => {
    await registry.create(schemas, schema('s', 'l'));
    await becomes('s', 'Dangling True NotFound');
    const before = await registry.stored(schemas, 's');
    const managers = before?.metadata.managedFields.map(({ manager }: JsonObject) => manager);
    expect(managers).to.include('api-priority-and-fairness-config-consumer-v1');
    // What comes later is looked at later, so that by then nothing more was written of the first.
    await registry.create(schemas, schema('t', 'l'));
    await becomes('t', 'Dangling True NotFound');
    expect(await registry.stored(schemas, 's')).to.deep.equal(before);
  });
});
